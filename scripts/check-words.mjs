// Counts words that docs/glossary.md replaces. The count is only a warning, because each word also has a plain meaning.

/** Returns the words in backticks in the first column of the glossary's last table. */
export function wordsToAvoid(glossary) {
  const table = glossary.slice(glossary.lastIndexOf('\n## '))
  const cells = [...table.matchAll(/^\| ([^|]*`[^|]*) \|/gm)].map(([, cell]) => cell)
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word))
}

/** Counts the words to avoid. Returns the path and the count of each file that contains such words, the highest count first. `files` contains a path and a text for each file. */
export function countWords(words, files) {
  const pattern = new RegExp(`\\b(?:${words.join('|')})\\b`, 'gi')
  return files
    .map(([file, text]) => [file, text.match(pattern)?.length ?? 0])
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one)
}
