/** Closes a fold. The focus must not stay in the closed fold, because it would then move to the page behind the message panel. */
export function closeFold(fold: HTMLDetailsElement): void {
  if (fold.contains(document.activeElement)) fold.querySelector('summary')?.focus()
  fold.open = false
}
