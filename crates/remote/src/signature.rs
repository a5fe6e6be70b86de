//! Signed explorations, for workers that do not trust all users of the hub.

use std::path::Path;

use nkeys::KeyPair;
use tine_engine::remote::HubError;

/// Public keys whose explorations a worker serves.
#[derive(Clone, Debug)]
pub struct AllowedKeys {
    keys: Vec<String>,
}

impl AllowedKeys {
    /// Reads public NKeys, one a line. Empty lines and those that start with `#` are ignored.
    pub fn read(file: &Path) -> Result<AllowedKeys, HubError> {
        let text = std::fs::read_to_string(file).map_err(|why| unusable(file, &why.to_string()))?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let keys: Vec<String> = lines.map(str::to_owned).collect();
        match keys.iter().find(|key| KeyPair::from_public_key(key).is_err()) {
            Some(key) => Err(unusable(file, &format!("`{key}` is not a public NKey"))),
            None => Ok(AllowedKeys { keys }),
        }
    }

    /// True if `signature` signs these bytes with an allowed key.
    pub(crate) fn verify(&self, bytes: &[u8], signature: &Signature) -> bool {
        self.keys.contains(&signature.key)
            && KeyPair::from_public_key(&signature.key).is_ok_and(|key| key.verify(bytes, &signature.bytes).is_ok())
    }
}

/// A signature and the public key of its owner.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Signature {
    key: String,
    bytes: Vec<u8>,
}

/// Reads the seed of an NKey.
pub(crate) fn read_key(file: &Path) -> Result<KeyPair, HubError> {
    let seed = std::fs::read_to_string(file).map_err(|why| unusable(file, &why.to_string()))?;
    KeyPair::from_seed(seed.trim()).map_err(|_| unusable(file, "it is not the seed of an NKey"))
}

pub(crate) fn sign(key: &KeyPair, bytes: &[u8]) -> Option<Signature> {
    Some(Signature { key: key.public_key(), bytes: key.sign(bytes).ok()? })
}

fn unusable(file: &Path, why: &str) -> HubError {
    HubError { what: format!("{}: {why}", file.display()), help: "make keys with `nk -gen user -pubout`" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_allowed_keys_count() {
        let folder = tempfile::tempdir().expect("a directory");
        let (one, other) = (KeyPair::new_user(), KeyPair::new_user());
        let file = folder.path().join("keys");
        std::fs::write(&file, format!("# ours\n\n{}\n", one.public_key())).expect("a file");
        let allowed = AllowedKeys::read(&file).expect("it is a key");
        let signature = sign(&one, b"exploration").expect("a signature");
        assert!(allowed.verify(b"exploration", &signature));
        assert!(!allowed.verify(b"another", &signature));
        assert!(!allowed.verify(b"exploration", &sign(&other, b"exploration").expect("a signature")));
        let forged = Signature { key: one.public_key(), ..sign(&other, b"exploration").expect("a signature") };
        assert!(!allowed.verify(b"exploration", &forged));
        std::fs::write(&file, "what").expect("a file");
        assert!(AllowedKeys::read(&file).is_err());
        assert!(read_key(&file).is_err());
    }
}
