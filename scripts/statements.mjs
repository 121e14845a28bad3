// Checks that each SQL statement that a test sent to SQLite was also sent to PostgreSQL (recorded by test/fixtures/statements.ts).
//   node scripts/statements.mjs   writes the list of test files to test/postgres-files.json, from the statements that the step sqlite of the last `npm test` recorded
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './run.mjs'

const results = join(root, '.cache', 'tests')
const chosenFiles = join(root, 'test/postgres-files.json')
/** Statements that match these patterns use the catalog, functions or settings of SQLite, or the savepoints of messages that share a commit. PostgreSQL does not run them. */
const ONLY_SQLITE = [/\bsqlite_/, /\bpragma[ _]/, /^(?:savepoint|release|rollback to) member$/]

/** These tests are ignored, because their random inputs cause other SQL statements in each run. */
const FUZZ_TESTS = [
  'test/security/fuzz.test.ts',
  'test/integration/agreement-fuzz.test.ts',
  'app/features/firestore-import/import-fuzz.test.ts',
]

/** Returns the SQL statements that each test file sent to the database. */
function readStatements(database) {
  const folder = join(results, `statements-${database}`)
  const statementsOf = (file) =>
    JSON.parse(readFileSync(join(folder, `${file.replaceAll('/', '~')}.json`), 'utf8'))
  const isShared = (statement) => ONLY_SQLITE.every((pattern) => !pattern.test(statement))
  const files = readdirSync(folder).map((name) =>
    name.slice(0, -'.json'.length).replaceAll('~', '/'),
  )
  return new Map(
    files
      .filter((file) => !FUZZ_TESTS.includes(file))
      .map((file) => [file, statementsOf(file).filter(isShared)]),
  )
}

/** Finds the statements that no test sent to PostgreSQL, and maps each of them to the test files that sent it to SQLite. */
function missingOn(sqlite, postgres) {
  const ran = new Set([...postgres.values()].flat())
  const missing = new Map()
  for (const [file, statements] of sqlite)
    for (const statement of statements)
      if (!ran.has(statement)) missing.set(statement, [...(missing.get(statement) ?? []), file])
  return missing
}

/** Prints the statements that no test sent to PostgreSQL, and files in test/postgres-files.json that do not exist. Returns how many statements and files it printed. */
export function reportStatements() {
  const sqlite = readStatements('sqlite')
  const missing = missingOn(sqlite, readStatements('postgres'))
  const gone = JSON.parse(readFileSync(chosenFiles, 'utf8')).files.filter(
    (file) => !existsSync(join(root, file)),
  )
  for (const file of gone)
    console.log(`test/postgres-files.json names a file that does not exist: ${file}`)
  for (const [statement, files] of missing)
    console.log(`No test sends to PostgreSQL, but ${files[0]} to SQLite: ${statement}`)
  const all = new Set([...sqlite.values()].flat())
  console.log(`${all.size - missing.size} of ${all.size} statements ran on PostgreSQL.`)
  return missing.size + gone.length
}

/** Chooses test files until the chosen files and the `given` files send every statement. Always chooses the file that sends the most missing statements per second of its duration. */
function chooseFiles(statements, seconds, given) {
  const missing = new Set([...statements.values()].flat())
  const take = (file) => statements.get(file)?.forEach((statement) => missing.delete(statement))
  given.forEach(take)
  const chosen = []
  while (missing.size > 0) {
    const worth = (file) =>
      statements.get(file).filter((statement) => missing.has(statement)).length /
      (0.2 + (seconds.get(file) ?? 1))
    const best = [...statements.keys()].reduce((one, other) =>
      worth(other) > worth(one) ? other : one,
    )
    take(best)
    chosen.push(best)
  }
  return chosen
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { testResults } = JSON.parse(readFileSync(join(results, 'sqlite.json'), 'utf8'))
  const seconds = new Map(
    testResults.map(({ name, startTime, endTime }) => [
      name.slice(root.length + 1),
      (endTime - startTime) / 1000,
    ]),
  )
  const { always, never } = JSON.parse(readFileSync(chosenFiles, 'utf8'))
  const statements = readStatements('sqlite')
  const candidates = new Map([...statements].filter(([file]) => !never.includes(file)))
  const given = [...candidates.keys()].filter((file) =>
    always.some((pattern) => new RegExp(pattern).test(file)),
  )
  const chosen = chooseFiles(candidates, seconds, given)
  writeFileSync(
    chosenFiles,
    `${JSON.stringify({ always, never, files: [...given, ...chosen].toSorted() }, null, 2)}\n`,
  )
  console.log(
    `${given.length} files run on PostgreSQL in any case, ${chosen.length} more cover the rest of the statements.`,
  )
}
