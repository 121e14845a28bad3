/** npm run import -- <file or folder>: moves a shop in from a Firestore export, in one go (docs/decisions/022-moving.md). */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Candidate } from '../app/features/moving/accounts-plan.ts'
import { UnreadableExport } from '../app/features/moving/export-file.server.ts'
import { importShop, type Imported } from '../app/features/moving/import-shop.server.ts'
import { openReport, type Report } from '../app/features/moving/report.server.ts'
import type { Env } from '../app/platform/env.server.ts'
import { readArguments, runCommand, typedPath } from './command.ts'
import { openShop } from './open-shop.ts'

const usage = `npm run import -- <file or folder> [options]

  <file or folder>     one JSON file, a folder with one JSON file for each collection, or a folder that npm run export wrote
  --files <folder>     a copy of the storage bucket, for the pictures (files/ beside an export.json is taken by itself)
  --fetch              fetch the pictures from the addresses in the documents instead (https; --allow-http: http as well)
  --admin-id <uid>     the owner's uid in the hosted shop (several times, if she had several); "none": nobody there was the owner
  --accounts <file>    what "firebase auth:export accounts.json" wrote, for e-mails that no document knows
  --dry-run            show what would be done, and write nothing
  --merge              into a shop that is not empty: adds what is not there, changes nothing that is
  --report <file>      where the report goes (else into the data folder's reports/)

The shop must not be open meanwhile. It is the one of DATA_DIR and DATABASE_URL, as for npm start. More: docs/operating.md, "Moving here".`

const { values, positionals } = readArguments(usage, {
  allowPositionals: true,
  options: {
    files: { type: 'string' },
    fetch: { type: 'boolean', default: false },
    'allow-http': { type: 'boolean', default: false },
    'admin-id': { type: 'string', multiple: true },
    accounts: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    merge: { type: 'boolean', default: false },
    report: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const isDry = values['dry-run']
/** A dry run shows so many; --report takes all. */
const SHOWN_LINES = 200

function tell(done: Imported, report: Report, env: Env, owner: { email: string; hint: string }): number {
  if (!done.ok) {
    if (done.refusal === 'not-the-owner') console.error("The uid of --admin-id writes in nobody's conversation.")
    console.error(done.refusal === 'not-empty' ? notEmpty(env) : `${whoIsTheOwner(done.candidates)} Nothing was changed.`)
    return 1
  }
  if (done.isSame) {
    console.log(`This very export was imported on ${new Date(done.at).toISOString().slice(0, 10)}. Nothing was changed.`)
    return 0
  }
  const summary = report.summary()
  if (isDry && report.path === null) {
    const lines = report.lines()
    console.log(
      [...lines.slice(0, SHOWN_LINES), ...(lines.length > SHOWN_LINES ? ['… (--report <file> takes them all)'] : []), ''].join('\n'),
    )
  }
  console.log(summary.join('\n'))
  report.end(summary)
  if (report.path !== null) console.log(`\nEvery finding, line by line: ${report.path}`)
  if (done.candidates.length > 0) console.log(`\n${whoIsTheOwner(done.candidates)}`)
  if (isDry) console.log('\nThis was a dry run: nothing was written.')
  else console.log(`\nThe shop has moved in. Start it with ${startOf(env)}; the owner signs in as ${owner.email}${owner.hint}`)
  return 0
}

const notEmpty = ({ dataDir, databaseUrl }: Env) =>
  `The shop in ${databaseUrl === null ? dataDir : 'the database of DATABASE_URL'} is not empty (the demo shop counts too). Nothing was changed.
Import into an empty one, and start that one afterwards:

  DATA_DIR=my-shop npm run import -- …
  DATA_DIR=my-shop npm start

${databaseUrl === null ? '' : '(DATABASE_URL must lead to an empty database as well.)\n'}Or add to the shop that is there: --merge takes what it does not have yet, and changes nothing that it has.`

/** With the settings that led here: a bare npm start would open another shop. */
const startOf = ({ dataDir, databaseUrl }: Env) =>
  [...(dataDir === 'data' ? [] : [`DATA_DIR=${dataDir}`]), ...(databaseUrl === null ? [] : ['DATABASE_URL=…']), 'npm start'].join(' ')

const whoIsTheOwner = (candidates: Candidate[]) =>
  `Which of these was the owner's uid in the hosted shop? They write in conversations of others:

${candidates
  .slice(0, 10)
  .map(({ uid, messages, conversations }) => `  ${uid}   ${messages} messages in ${conversations} conversations`)
  .join('\n')}

Say it with --admin-id ${candidates[0]!.uid} (or --admin-id none), and her messages will be hers here.`

await runCommand(async (env) => {
  const path = positionals[0]
  if (values.help || path === undefined || positionals.length > 1) {
    console.log(usage)
    return values.help ? 0 : 1
  }
  // A dry run of a first import must not even make the data folder.
  const isNew = env.databaseUrl === null && !existsSync(join(env.dataDir, 'shop.db'))
  const aside = isDry && isNew ? await mkdtemp(join(tmpdir(), 'moving-')) : null
  const written = join(env.dataDir, 'reports', `import-${new Date().toISOString().replace(/[:.]/g, '-')}.txt`)
  const { shop, owner, close } = await openShop({ ...env, dataDir: aside ?? env.dataDir }, (line) => void (aside || console.log(line)), {
    isServed: false,
    isAlone: !isDry,
  })
  const report = openReport(values.report ? typedPath(values.report) : isDry ? null : written)
  try {
    const adminIds = values['admin-id']?.filter((uid) => uid !== 'none') ?? null
    const options = {
      path: typedPath(path),
      files: values.files === undefined ? null : typedPath(values.files),
      fetch: values['allow-http'] ? ('http too' as const) : values.fetch ? ('https' as const) : ('no' as const),
      accounts: values.accounts === undefined ? null : typedPath(values.accounts),
      adminIds,
      isMerge: values.merge,
      isDry,
    }
    const done = await importShop(shop, options, report, (line) => console.log(line))
    return tell(done, report, env, owner)
  } catch (error) {
    if (!(error instanceof UnreadableExport)) throw error
    console.error(`${error.message}\nNothing was changed.`)
    return 1
  } finally {
    await close()
    if (aside) await rm(aside, { recursive: true, force: true })
  }
})
