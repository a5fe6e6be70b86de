; The concrete track has no shadows: it tests the parameters and calls the symbolic track.
; show: f
target triple = "x86_64-pc-linux-gnu"
define i32 @f(i32 %x) {
  %a = mul i32 %x, 3
  ret i32 %a
}
