/** Names in a sentence. */

/** "A", "A and B", "A, B and C", "A, B, C and 4 more" where `all` is more than there are names. */
export function wordList(names: readonly string[], all = names.length): string {
  if (all > names.length) return `${names.join(', ')} and ${all - names.length} more`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
