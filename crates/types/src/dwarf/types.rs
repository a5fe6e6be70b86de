//! Conversion of a type entry to a node of the graph.

use gimli::AttributeValue;

use super::{Entry, Error, Place, Reader, flag, number};
use crate::graph::{BitField, Enumerator, Kind, Member, Qualifier, Signature, Tag, Type, TypeId};

impl<'d> Reader<'_, 'd> {
    /// Reads the type at `place`, which gets the ID `id`.
    pub(super) fn read_type(&mut self, place: Place, id: TypeId) -> Result<Type, Error> {
        let entry = self.entry(place)?;
        let name = self.name(place.unit, &entry)?;
        let mut size = number(&entry, gimli::DW_AT_byte_size);
        let declared_only = flag(&entry, gimli::DW_AT_declaration);
        let kind = match entry.tag() {
            gimli::DW_TAG_base_type if is_complex(&entry) && matches!(size, Some(8 | 16)) => {
                return Ok(self.complex(size.unwrap_or(0)));
            }
            gimli::DW_TAG_base_type => base_type(&entry, name.as_deref(), size.unwrap_or(0)),
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type if declared_only => {
                Kind::Opaque { tag: Tag::Struct }
            }
            gimli::DW_TAG_union_type if declared_only => Kind::Opaque { tag: Tag::Union },
            gimli::DW_TAG_enumeration_type if declared_only => Kind::Opaque { tag: Tag::Enum },
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => {
                self.members(place, |members| Kind::Struct { members })?
            }
            gimli::DW_TAG_union_type => self.members(place, |members| Kind::Union { members })?,
            gimli::DW_TAG_enumeration_type => self.enumeration(place, &entry)?,
            gimli::DW_TAG_pointer_type => {
                size = size.or(Some(u64::from(self.units[place.unit].encoding().address_size)));
                Kind::Pointer { to: self.type_of(place.unit, &entry) }
            }
            gimli::DW_TAG_array_type => self.array(place, &entry, id)?,
            gimli::DW_TAG_subroutine_type => self.signature(place, &entry)?,
            gimli::DW_TAG_typedef => Kind::Typedef { to: self.type_of(place.unit, &entry) },
            gimli::DW_TAG_const_type => self.qualified(place, &entry, Qualifier::Const),
            gimli::DW_TAG_volatile_type => self.qualified(place, &entry, Qualifier::Volatile),
            gimli::DW_TAG_restrict_type => self.qualified(place, &entry, Qualifier::Restrict),
            gimli::DW_TAG_atomic_type => self.qualified(place, &entry, Qualifier::Atomic),
            other => {
                if matches!(other, gimli::DW_TAG_reference_type | gimli::DW_TAG_rvalue_reference_type) {
                    size = size.or(Some(u64::from(self.units[place.unit].encoding().address_size)));
                }
                Kind::Unsupported(unsupported_tag(other))
            }
        };
        Ok(Type { name, size, kind })
    }

    /// A complex number: a name for a structure of two numbers, which has its layout.
    fn complex(&mut self, size: u64) -> Type {
        let part = if size == 16 { "double" } else { "float" };
        let types = &mut self.program.types;
        let kind = Kind::Float { bits: size as u32 * 4 };
        let number = types.add(Type { name: Some(part.to_owned()), size: Some(size / 2), kind });
        let member = |name: &str, offset| Member { name: Some(name.to_owned()), ty: number, offset, bits: None };
        let members = vec![member("real", 0), member("imag", size / 2)];
        let to = types.add(Type { name: None, size: Some(size), kind: Kind::Struct { members } });
        Type { name: Some(format!("{part} _Complex")), size: Some(size), kind: Kind::Typedef { to } }
    }

    fn qualified(&mut self, place: Place, entry: &Entry<'d>, qualifier: Qualifier) -> Kind {
        Kind::Qualified { qualifier, to: self.type_of(place.unit, entry) }
    }

    fn members(&mut self, place: Place, kind: impl FnOnce(Vec<Member>) -> Kind) -> Result<Kind, Error> {
        let mut members = Vec::new();
        for entry in self.children(place)? {
            match entry.tag() {
                // A base class is a member without a name.
                gimli::DW_TAG_member | gimli::DW_TAG_inheritance => {
                    // Class variables are declared among the members, but are not members.
                    if flag(&entry, gimli::DW_AT_external) || flag(&entry, gimli::DW_AT_declaration) {
                        continue;
                    }
                    let name = self.name(place.unit, &entry)?;
                    let ty = self.type_of(place.unit, &entry);
                    let (offset, bits) = member_position(&entry);
                    members.push(Member { name, ty, offset, bits });
                }
                // Rust's enums with data: their members depend on a value.
                gimli::DW_TAG_variant_part => return Ok(Kind::Unsupported("enum with data".into())),
                _ => {}
            }
        }
        Ok(kind(members))
    }

    fn enumeration(&mut self, place: Place, entry: &Entry<'d>) -> Result<Kind, Error> {
        let mut values = Vec::new();
        for child in self.children(place)? {
            if child.tag() == gimli::DW_TAG_enumerator {
                let name = self.name(place.unit, &child)?.unwrap_or_default();
                let value = child.attr_value(gimli::DW_AT_const_value);
                values.push(Enumerator { name, value: value.map_or(0, |value| enumerator_value(&value)) });
            }
        }
        let underlying = if entry.has_attr(gimli::DW_AT_type) {
            self.type_of(place.unit, entry)
        } else {
            // Older producers name no type: the values determine the size.
            let size = number(entry, gimli::DW_AT_byte_size).unwrap_or(4);
            let signed = values.iter().any(|enumerator| enumerator.value < 0);
            let kind = Kind::Int { signed, bits: size as u32 * 8 };
            self.program.types.add(Type { name: None, size: Some(size), kind })
        };
        Ok(Kind::Enum { underlying, values })
    }

    /// `int a[2][3]` is one entry with two subranges. Here it becomes an array of 2 arrays of 3.
    fn array(&mut self, place: Place, entry: &Entry<'d>, id: TypeId) -> Result<Kind, Error> {
        let mut counts = Vec::new();
        for child in self.children(place)? {
            if matches!(child.tag(), gimli::DW_TAG_subrange_type | gimli::DW_TAG_enumeration_type) {
                let bound = |attribute| number(&child, attribute);
                let lower = bound(gimli::DW_AT_lower_bound).unwrap_or(0);
                let up_to = bound(gimli::DW_AT_upper_bound).map(|upper| upper.wrapping_add(1).saturating_sub(lower));
                counts.push(bound(gimli::DW_AT_count).or(up_to));
            }
        }
        let mut element = self.type_of(place.unit, entry);
        if flag(entry, gimli::DW_AT_GNU_vector) {
            let count = counts.first().copied().flatten().unwrap_or(0);
            self.vectors.push((id, element, count));
            return Ok(Kind::Unsupported("vector".into()));
        }
        let outermost = counts.first().copied().flatten();
        for count in counts.into_iter().skip(1).rev() {
            element = self.program.types.add(Type { name: None, size: None, kind: Kind::Array { element, count } });
        }
        Ok(Kind::Array { element, count: outermost })
    }

    fn signature(&mut self, place: Place, entry: &Entry<'d>) -> Result<Kind, Error> {
        let mut params = Vec::new();
        let mut variadic = false;
        for child in self.children(place)? {
            match child.tag() {
                gimli::DW_TAG_formal_parameter => params.push(self.type_of(place.unit, &child)),
                gimli::DW_TAG_unspecified_parameters => variadic = true,
                _ => {}
            }
        }
        let prototyped = flag(entry, gimli::DW_AT_prototyped);
        // Debug information describes `int (*)()` as a variadic function.
        let variadic = variadic && (prototyped || !params.is_empty());
        Ok(Kind::Function(Signature { params, ret: self.type_of(place.unit, entry), variadic, prototyped }))
    }

    /// Sets the size of vectors once their elements have one.
    pub(super) fn size_vectors(&mut self) {
        let types = &mut self.program.types;
        for (id, element, count) in self.vectors.drain(..) {
            let mut ty = types.get(id).clone();
            ty.size = ty.size.or_else(|| types.size(element)?.checked_mul(count));
            ty.kind = Kind::Unsupported(format!("vector of {count} {}", types.describe(element)));
            types.replace(id, ty);
        }
        // Typedefs of vectors.
        types.finish();
    }
}

fn is_complex(entry: &Entry<'_>) -> bool {
    let encoding = entry.attr_value(gimli::DW_AT_encoding);
    matches!(encoding, Some(AttributeValue::Encoding(gimli::DW_ATE_complex_float)))
}

fn base_type(entry: &Entry<'_>, name: Option<&str>, size: u64) -> Kind {
    let encoding = match entry.attr_value(gimli::DW_AT_encoding) {
        Some(AttributeValue::Encoding(encoding)) => encoding,
        _ => return Kind::Unsupported(name.unwrap_or("type without an encoding").into()),
    };
    let bits = number(entry, gimli::DW_AT_bit_size).unwrap_or(size * 8) as u32;
    // C's plain `char` has the encoding of `signed char` or `unsigned char`. Only the name distinguishes it.
    let plain = name == Some("char");
    match encoding {
        gimli::DW_ATE_boolean => Kind::Bool,
        gimli::DW_ATE_signed_char if plain => Kind::Char { signed: true },
        gimli::DW_ATE_unsigned_char if plain => Kind::Char { signed: false },
        gimli::DW_ATE_signed | gimli::DW_ATE_signed_char => Kind::Int { signed: true, bits },
        gimli::DW_ATE_unsigned | gimli::DW_ATE_unsigned_char | gimli::DW_ATE_UTF => Kind::Int { signed: false, bits },
        gimli::DW_ATE_float if bits == 32 || bits == 64 => Kind::Float { bits },
        gimli::DW_ATE_float => Kind::Unsupported(name.unwrap_or("float of an unusual size").into()),
        gimli::DW_ATE_complex_float => Kind::Unsupported("complex number".into()),
        _ => Kind::Unsupported(name.unwrap_or("type of an unknown encoding").into()),
    }
}

/// DWARF 4 and 5 count bits from the start of the struct. Older producers counted from the other end of the storage
/// unit.
fn member_position(entry: &Entry<'_>) -> (u64, Option<BitField>) {
    let offset = number(entry, gimli::DW_AT_data_member_location).unwrap_or(0);
    let Some(size) = number(entry, gimli::DW_AT_bit_size) else { return (offset, None) };
    let first_bit = if let Some(first_bit) = number(entry, gimli::DW_AT_data_bit_offset) {
        first_bit
    } else if let Some(from_top) = number(entry, gimli::DW_AT_bit_offset) {
        let storage = number(entry, gimli::DW_AT_byte_size).unwrap_or(4) * 8;
        offset * 8 + storage.saturating_sub(from_top + size)
    } else {
        offset * 8
    };
    (first_bit / 8, Some(BitField { offset: (first_bit % 8) as u8, size: size as u32 }))
}

fn enumerator_value(value: &AttributeValue<super::Slice<'_>>) -> i128 {
    match value {
        AttributeValue::Udata(value) => i128::from(*value),
        other => i128::from(other.sdata_value().unwrap_or(0)),
    }
}

fn unsupported_tag(tag: gimli::DwTag) -> String {
    match tag {
        gimli::DW_TAG_reference_type => "reference".into(),
        gimli::DW_TAG_rvalue_reference_type => "rvalue reference".into(),
        gimli::DW_TAG_ptr_to_member_type => "pointer to member".into(),
        gimli::DW_TAG_unspecified_type => "unspecified type".into(),
        other => other.static_string().unwrap_or("unknown kind of type").into(),
    }
}
