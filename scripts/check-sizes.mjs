// Counts the characters of the code and the words of the documents, and finds comments that are
// too wide.

const MAX_COMMENT_WIDTH = 100

const isTest = (file) => /\.test\.tsx?$/.test(file) || file.startsWith('test/')
const isProduct = (file) => /^(app|server|db)\/.*\.tsx?$/.test(file) && !isTest(file)

const groups = [
  { name: 'product TypeScript', contains: isProduct },
  { name: 'tests', contains: (file) => isTest(file) && /\.tsx?$/.test(file) },
  { name: 'CSS', contains: (file) => file.endsWith('.css') },
]

const isComment = (line) => /^\s*(\/\/|\/\*|\*( |\/|$))/.test(line)
const isBlank = (line) => line.trim() === ''

export function characterCounts(files) {
  return groups.map(({ name, contains }) => {
    const texts = files.filter(([file]) => contains(file)).map(([, text]) => text)
    const lines = texts.flatMap((text) => text.split('\n'))
    const codeLines = lines.filter((line) => !isBlank(line) && !isComment(line))
    return {
      name,
      characters: nonSpaceCharacters(lines),
      perCodeLine: nonSpaceCharacters(codeLines) / Math.max(codeLines.length, 1),
    }
  })
}

const nonSpaceCharacters = (lines) => lines.join('').replace(/[ \t]/g, '').length

export const wordCount = (texts) =>
  texts.reduce((sum, text) => sum + (text.match(/\S+/g)?.length ?? 0), 0)

export function wideComments(files) {
  return files.flatMap(([file, text]) =>
    text
      .split('\n')
      .map((line, index) => [line, `${file}:${index + 1}`])
      .filter(([line]) => [...line].length > MAX_COMMENT_WIDTH && isWideComment(line))
      .map(([, place]) => place),
  )
}

// A directive of the linter must stay on one line.
const isWideComment = (line) =>
  (isComment(line) || / \/\/ /.test(line)) && !line.includes('oxlint-')
