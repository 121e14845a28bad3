import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Candidate } from '../../app/features/firestore-import/accounts.ts'
import { importShop, type Imported } from '../../app/features/firestore-import/import-shop.server.ts'
import { UnreadableExport } from '../../app/features/firestore-import/read-export.server.ts'
import { openReport, type Report } from '../../app/features/firestore-import/report.server.ts'
import type { Env } from '../../app/platform/env.server.ts'
import { createServices } from '../bootstrap.ts'
import { optionalPath, refuse, startLine, typedPath, whereOf, type Command } from './command.ts'

/** A dry run prints so many lines; --report takes all. */
const MAX_PRINTED_LINES = 200

type Context = { env: Env; isDry: boolean; owner: { email: string; hint: string } }

function printResult(result: Imported, report: Report, { env, isDry, owner }: Context): number {
  if (!result.ok) {
    if (result.refusal === 'not-empty') return fail(notEmpty(env))
    if (result.refusal === 'not-the-owner') console.error("The uid of --admin-id writes in nobody's conversation.")
    return fail(`${whoIsTheOwner(result.candidates)} Nothing was changed.`)
  }
  if (result.isSame) {
    console.log(`This very export was imported on ${new Date(result.at).toISOString().slice(0, 10)}. Nothing was changed.`)
    return 0
  }
  const summary = report.summary()
  if (isDry && report.path === null) {
    const lines = report.lines()
    const rest = lines.length > MAX_PRINTED_LINES ? ['… (--report <file> takes them all)'] : []
    console.log([...lines.slice(0, MAX_PRINTED_LINES), ...rest, ''].join('\n'))
  }
  console.log(summary.join('\n'))
  report.writeFile(summary)
  if (report.path !== null) console.log(`\nEvery finding, line by line: ${report.path}`)
  if (result.candidates.length > 0) console.log(`\n${whoIsTheOwner(result.candidates)}`)
  if (isDry) console.log('\nThis was a dry run: nothing was written.')
  else console.log(`\nThe shop has moved in. Start it with ${startLine(env)}; the owner signs in as ${owner.email}${owner.hint}`)
  return 0
}

function fail(text: string): number {
  console.error(text)
  return 1
}

const notEmpty = (env: Env) =>
  `The shop in ${whereOf(env)} is not empty (the demo shop counts too). Nothing was changed.
Import into an empty one, and start that one afterwards:

  DATA_DIR=my-shop npm run import -- …
  DATA_DIR=my-shop npm start${env.databaseUrl === null ? '' : '\n\n(DATABASE_URL must lead to an empty database as well.)'}`

const whoIsTheOwner = (candidates: Candidate[]) =>
  `Which of these was the owner's uid in the hosted shop? They write in conversations of others:

${candidates
  .slice(0, 10)
  .map(({ uid, messages, conversations }) => `  ${uid}   ${messages} messages in ${conversations} conversations`)
  .join('\n')}

Say it with --admin-id ${candidates[0]!.uid} (or --admin-id none), and her messages will be hers here.`

export const command: Command = {
  usage: `npm run import -- <file or folder> [options]

  <file or folder>     one JSON file, or a folder with one JSON file for each collection
  --files <folder>     a copy of the storage bucket, for the pictures
  --admin-id <uid>     the owner's uid in the hosted shop (several times, if she had several); "none": nobody there was the owner
  --accounts <file>    what "firebase auth:export accounts.json" wrote, for e-mails that no document knows
  --dry-run            show what would be done, and write nothing
  --report <file>      where the report goes (else into the data folder's reports/)

The shop must not be open meanwhile. It is the one of DATA_DIR and DATABASE_URL, as for npm start. More: docs/operating.md, "Moving here".`,
  options: {
    files: { type: 'string' },
    'admin-id': { type: 'string', multiple: true },
    accounts: { type: 'string' },
    'dry-run': { type: 'boolean' },
    report: { type: 'string' },
  },
  async run(env, values, [path, ...more]) {
    if (path === undefined || more.length > 0) return null
    const isDry = values['dry-run'] === true
    // A dry run of a first import must not even make the data folder.
    const isNew = env.databaseUrl === null && !existsSync(join(env.dataDir, 'shop.db'))
    const temporary = isDry && isNew ? await mkdtemp(join(tmpdir(), 'import-')) : null
    const { shop, owner, close } = await createServices(
      { ...env, dataDir: temporary ?? env.dataDir },
      (line) => void (temporary || console.log(line)),
      { isServed: false, isAlone: !isDry },
    )
    const standard = join(env.dataDir, 'reports', `import-${new Date().toISOString().replace(/[:.]/g, '-')}.txt`)
    const report = openReport(optionalPath(values.report) ?? (isDry ? null : standard))
    const adminIds = values['admin-id'] as string[] | undefined
    try {
      const options = {
        path: typedPath(path),
        files: optionalPath(values.files),
        accounts: optionalPath(values.accounts),
        adminIds: adminIds?.filter((uid) => uid !== 'none') ?? null,
        isDry,
      }
      const result = await importShop(shop, options, report, (line) => console.log(line))
      return printResult(result, report, { env, isDry, owner })
    } catch (error) {
      if (!(error instanceof UnreadableExport)) throw error
      return refuse(error.message)
    } finally {
      await close()
      if (temporary) await rm(temporary, { recursive: true, force: true })
    }
  },
}
