// Compares numbers of lines with their budgets, and finds files that are too long.

const MAX_LINES = 300

export const countLines = (text) =>
  text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

const isCode = (file) => /\.(ts|tsx|css)$/.test(file)

/** Returns the code files that are too long. `files` contains a path and a number of lines for each file. */
export const tooLong = (files) => files.filter(([file, lines]) => isCode(file) && lines > MAX_LINES)

const isTest = (file) => /\.test\.tsx?$/.test(file) || file.startsWith('test/')
const isProduct = (file) => /^(app|server|db)\/.*\.tsx?$/.test(file) && !isTest(file)
const isTexts = (file) => /[/-]texts\.ts$/.test(file)
const budgets = [
  {
    name: 'product TypeScript',
    budget: 49_000,
    counts: (file) => isProduct(file) && !isTexts(file),
  },
  { name: 'user-facing texts', budget: 3_550, counts: (file) => isProduct(file) && isTexts(file) },
  { name: 'CSS', budget: 7_950, counts: (file) => file.endsWith('.css') },
  {
    name: 'demo and bench',
    budget: 3_900,
    counts: (file) => /^(demo|bench)\/.*\.(ts|tsx|mjs)$/.test(file),
  },
  { name: 'tests', budget: 41_000, counts: (file) => isTest(file) && /\.tsx?$/.test(file) },
]

/** Returns the number of lines for each budget. `files` contains a path and a number of lines for each file. */
export const lineCounts = (files) =>
  budgets.map(({ name, budget, counts }) => ({
    name,
    budget,
    lines: files.filter(([file]) => counts(file)).reduce((sum, [, lines]) => sum + lines, 0),
  }))
