export function closeFold(fold: HTMLDetailsElement) {
  const hasFocus = fold.contains(document.activeElement)
  fold.open = false
  if (hasFocus) fold.querySelector('summary')?.focus()
}
