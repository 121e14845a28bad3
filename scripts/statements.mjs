// Chooses the tests that PostgreSQL must run, and checks that each SQL statement that a test sent
// to SQLite was also sent to PostgreSQL (recorded by test/fixtures/statements.ts).
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { giveUp, root } from './run.mjs'

const results = join(root, '.cache', 'tests')
const chosenTests = join(results, 'postgres-tests.json')
/** SQLite's catalog, functions and settings, and savepoints of calls that share a commit. */
const ONLY_SQLITE = [/\bsqlite_/, /\bpragma[ _]/, /^(?:savepoint|release|rollback to) member$/]

export const FUZZ_TESTS = [
  'test/security/fuzz.test.ts',
  'test/integration/agreement-fuzz.test.ts',
  'app/features/firestore-import/import-fuzz.test.ts',
]
/** What a test costs on PostgreSQL even if it does nothing, because it copies a database. */
const LEAST_COST_MS = 100

function readRecords(database) {
  const folder = join(results, `statements-${database}`)
  if (!existsSync(folder)) giveUp(`No statements were recorded: run npm test -- --only ${database}`)
  const isShared = (statement) => ONLY_SQLITE.every((pattern) => !pattern.test(statement))
  return readdirSync(folder).flatMap((recordName) => {
    const file = recordName.slice(0, -'.json'.length).replaceAll('~', '/')
    const tests = JSON.parse(readFileSync(join(folder, recordName), 'utf8'))
    return Object.entries(tests).map(([name, { cpuMs, statements }]) => ({
      file,
      name,
      cpuMs,
      statements: statements.filter(isShared),
    }))
  })
}

export const readChosenTests = () => JSON.parse(readFileSync(chosenTests, 'utf8'))

export function chooseTests() {
  const { always, never } = JSON.parse(readFileSync(join(root, 'test/postgres-files.json'), 'utf8'))
  const candidates = readRecords('sqlite').filter(({ file }) => !never.includes(file))
  const fixed = candidates.filter(({ file }) => always.some((part) => new RegExp(part).test(file)))
  const added = testsForTheRest(candidates, fixed)
  writeFileSync(chosenTests, JSON.stringify(namesByFile([...fixed, ...added]), null, 2))
  console.log(
    `${fixed.length} tests always run on PostgreSQL, ${added.length} more send the other statements.`,
  )
}

function namesByFile(tests) {
  const names = {}
  for (const { file, name } of tests) (names[file] ??= []).push(name)
  return names
}

/** Always takes the test that sends most of the missing statements for its cost. */
export function testsForTheRest(candidates, fixed) {
  const missing = new Set(candidates.flatMap(({ statements }) => statements))
  const remove = ({ statements }) => statements.forEach((statement) => missing.delete(statement))
  fixed.forEach(remove)
  const worth = ({ statements, cpuMs }) =>
    statements.filter((statement) => missing.has(statement)).length / (LEAST_COST_MS + cpuMs)
  const added = []
  while (missing.size > 0) {
    const best = candidates.reduce((left, right) => (worth(right) > worth(left) ? right : left))
    remove(best)
    added.push(best)
  }
  return added
}

export function reportStatements() {
  const sentToPostgres = new Set(readRecords('postgres').flatMap(({ statements }) => statements))
  const senders = new Map()
  for (const { file, statements } of readRecords('sqlite')) {
    for (const statement of statements) senders.set(statement, file)
  }
  const missing = [...senders].filter(([statement]) => !sentToPostgres.has(statement))
  for (const [statement, file] of missing) {
    console.log(`No test sends to PostgreSQL, but ${file} to SQLite: ${statement}`)
  }
  console.log(`${senders.size - missing.length} of ${senders.size} statements ran on PostgreSQL.`)
  return missing.length
}
