// How long the files are: their median, the 95th percentile, the longest, and which are too long.

/** The value below which the share `part` (0 to 1) of the numbers lies; the lower of two middle ones; 0 for no numbers. */
export function percentile(numbers, part) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0
}

export const countLines = (text) => (text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0))

/** Data may be long: nobody reads it line by line. */
export const isCode = (file) => /\.(ts|tsx|css)$/.test(file) && !/^demo\/(catalogue|items)/.test(file)

/** `files`: [path, number of lines]. */
export function judgeSizes(files, { long = 150, most = 300 } = {}) {
  const lines = files.map(([, count]) => count)
  return {
    median: percentile(lines, 0.5),
    mostAreBelow: percentile(lines, 0.95),
    longest: Math.max(0, ...lines),
    long: files.filter(([, count]) => count > long).sort((a, b) => b[1] - a[1]),
    tooLong: files.filter(([, count]) => count > most),
  }
}
