/** Closes a fold. If the focus is inside the fold, it moves to the summary, because the focused control disappears. */
export function closeFold(fold: HTMLDetailsElement): void {
  const hasFocus = fold.contains(document.activeElement)
  fold.open = false
  if (hasFocus) fold.querySelector('summary')?.focus()
}
