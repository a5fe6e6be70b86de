; A select between values that depend on inputs stays a value: it is not a branch.
; show: f
target triple = "x86_64-pc-linux-gnu"
define i32 @f(i1 %c, i32 %a, i32 %b) {
  %r = select i1 %c, i32 %a, i32 %b
  ret i32 %r
}
