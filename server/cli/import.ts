import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Candidate } from '#firestore-import/accounts.ts'
import { importShop, type ImportOutcome } from '#firestore-import/import-shop.server.ts'
import { UnreadableExportError } from '#firestore-import/read-export.server.ts'
import { createReport, type ImportReport } from '#firestore-import/report.server.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import type { Database } from '#services/database.server.ts'
import { findUser } from '#services/users.server.ts'
import type { Env } from '#lib/config/env.server.ts'
import { schemaState } from '#db/migrate.ts'
import { createServices } from '../bootstrap.ts'
import {
  databaseExists,
  describeTarget,
  fail,
  olderShopText,
  openDatabase,
  optionalPath,
  refuse,
  resolveUserPath,
  startCommand,
  type Command,
} from './command.ts'

const MAX_PRINTED_LINES = 200

type Context = { env: Env; isDry: boolean; owner: { email: string; hint: string } }

function printResult(result: ImportOutcome, report: ImportReport, { env, isDry, owner }: Context) {
  if (!result.ok) {
    if (result.refusal === 'not-empty') return fail(notEmptyText(env))
    if (result.refusal === 'not-the-owner') {
      console.error('The user of --admin-id has written in no conversation.')
    }
    return fail(`${askForOwnerText(result.candidates)} Nothing was changed.`)
  }
  if (result.isSame) {
    console.log(
      `This export was already imported on ${new Date(result.at).toISOString().slice(0, 10)}. Nothing was changed.`,
    )
    return 0
  }
  const summary = report.summary()
  if (isDry && report.path === null) {
    const lines = report.lines()
    const rest = lines.length > MAX_PRINTED_LINES ? ['… (--report <file> writes all lines)'] : []
    console.log([...lines.slice(0, MAX_PRINTED_LINES), ...rest, ''].join('\n'))
  }
  console.log(summary.join('\n'))
  report.writeFile(summary)
  if (report.path !== null) console.log(`\nAll findings: ${report.path}`)
  if (result.candidates.length > 0) console.log(`\n${askForOwnerText(result.candidates)}`)
  if (isDry) console.log('\nThis was a dry run: nothing was written.')
  else {
    console.log(
      `\nThe import is complete. Start the shop with ${startCommand(env)}; the owner logs in as ${owner.email}${owner.hint}`,
    )
  }
  return 0
}

const notEmptyText = (env: Env) =>
  `The shop in ${describeTarget(env)} is not empty (the demo shop counts too). Nothing was changed.
Import into an empty shop, then start it:

  DATA_DIR=my-shop npm run import -- …
  DATA_DIR=my-shop npm start${env.databaseUrl === null ? '' : '\n\n(DATABASE_URL must name an empty database, too.)'}`

const askForOwnerText = (candidates: Candidate[]) =>
  `Which of these uids was the owner's in the hosted shop? These users write in other users' conversations:

${candidates
  .slice(0, 10)
  .map(
    ({ uid, messages, conversations }) =>
      `  ${uid}   ${messages} messages in ${conversations} conversations`,
  )
  .join('\n')}

Name it with --admin-id ${candidates[0]!.uid} (or --admin-id none), so that her messages become the owner's.`

type Shop = Awaited<ReturnType<typeof createServices>>

async function runDry(env: Env, work: (shop: Pick<Shop, 'services' | 'owner'>) => Promise<number>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'import-'))
  let shopDatabase: Database | null = null
  let shop: Shop | null = null
  try {
    if (databaseExists(env)) {
      shopDatabase = await openDatabase(env.databaseUrl === null ? env : { ...env, dataDir }, false)
    }
    const state = shopDatabase ? await schemaState(shopDatabase.db, shopDatabase.dialect) : 'none'
    if (state === 'older') return refuse(olderShopText(env))
    shop = await createServices(
      { ...env, dataDir, databaseUrl: null, listenUrl: null, filesUrl: null },
      () => {},
      { isServed: false },
    )
    const hasOwner = state === 'ours' && (await findUser(shopDatabase!.db, OWNER_ID))
    return await work(
      hasOwner ? { ...shop, services: { ...shop.services, db: shopDatabase!.db } } : shop,
    )
  } finally {
    await shop?.close()
    await shopDatabase?.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

export const command: Command = {
  usage: `npm run import -- <file or folder> [options]

  <file or folder>     one JSON file, or a folder with one JSON file for each collection
  --files <folder>     a copy of the storage bucket with the pictures
  --admin-id <uid>     the owner's uid in the hosted shop (repeat it if she had several); "none": the export has no owner
  --accounts <file>    the file of "firebase auth:export accounts.json", for emails that no document contains
  --dry-run            show what the import would do, without writing anything
  --report <file>      file for the report (default: reports/ in the data folder)

The command uses the shop of DATA_DIR and DATABASE_URL, as npm start does. The shop must not be running. See docs/deployment.md, "Moving here".`,
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
    const defaultPath = join(
      env.dataDir,
      'reports',
      `import-${new Date().toISOString().replace(/[:.]/g, '-')}.txt`,
    )
    const report = createReport(optionalPath(values.report) ?? (isDry ? null : defaultPath))
    const adminIds = values['admin-id'] as string[] | undefined
    const work = async ({ services, owner }: Pick<Shop, 'services' | 'owner'>) => {
      const options = {
        path: resolveUserPath(path),
        files: optionalPath(values.files),
        accounts: optionalPath(values.accounts),
        adminIds: adminIds?.filter((uid) => uid !== 'none') ?? null,
        isDry,
      }
      const result = await importShop(services, options, report, console.log)
      return printResult(result, report, { env, isDry, owner })
    }
    try {
      if (isDry) return await runDry(env, work)
      const shop = await createServices(env, console.log, {
        isServed: false,
        isAlone: true,
      })
      return await work(shop).finally(shop.close)
    } catch (error) {
      if (!(error instanceof UnreadableExportError)) throw error
      return refuse(error.message)
    }
  },
}
