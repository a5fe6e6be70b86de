; Values that live across a store are handed to the symbolic track; those that are dead are not.
; show: f
target triple = "x86_64-pc-linux-gnu"
define i32 @f(ptr %p, i32 %x) {
  %dead = add i32 %x, 1
  %live = mul i32 %dead, 3
  store i32 7, ptr %p
  %loaded = load i32, ptr %p
  %sum = add i32 %loaded, %live
  ret i32 %sum
}
