/** Backups measured: a shop of 100,000 rows and 1,000 pictures, as commands of their own, so that memory and time are theirs alone. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { migrate } from '../db/migrate.ts'
import { openSqliteDatabase } from '../app/platform/db.server.ts'
import { table } from './report.ts'
import type { Area } from './areas.ts'

const [CONVERSATIONS, MESSAGES, PICTURES, PICTURE_BYTES] = [500, 200, 1000, 120_000]

type Run = { what: string; seconds: number; cpu: number; memory: number }

async function fillShop(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  const { db, dialect, close } = openSqliteDatabase(dataDir)
  await migrate(db, dialect)
  const words = 'Could you make the moon wall a little wider, in cream and teal, before the first of May? '
  for (let number = 0; number < CONVERSATIONS; number += 1) {
    const id = `c${number}`
    await db.transaction().execute(async (tx) => {
      const who = { userName: `Customer ${number}`, userEmail: `c${number}@example.com`, userPhotoURL: '' }
      await tx
        .insertInto('orders')
        .values({
          id,
          userId: null,
          ...who,
          receiptTag: null,
          isClosed: 0,
          fromContactPage: 0,
          lastSeq: MESSAGES,
          createdAt: number,
          firstCreatedAt: number,
        })
        .execute()
      await tx
        .insertInto('messages')
        .values(
          Array.from({ length: MESSAGES }, (_, at) => ({
            orderId: id,
            seq: at + 1,
            id: `m${at}`,
            message: words + at,
            sender: id,
            createdAt: at,
          })),
        )
        .execute()
    })
  }
  await mkdir(join(dataDir, 'files', 'items'), { recursive: true })
  for (let number = 0; number < PICTURES; number += 1) {
    const path = `items/p${number}.webp`
    await db
      .insertInto('pictures')
      .values({ id: `p${number}`, path, width: 9, height: 9, widths: '[]', placeholder: '', createdAt: 0 })
      .execute()
    await writeFile(join(dataDir, 'files', path), randomBytes(PICTURE_BYTES))
  }
  await close()
}

/** Under GNU's or BusyBox' absence too: the process itself says at its end what it took. */
async function run(what: string, program: string, args: string[], dataDir: string): Promise<Run> {
  const report = `process.on('exit', () => { const u = process.resourceUsage(); console.error('USED ' + JSON.stringify([u.userCPUTime + u.systemCPUTime, u.maxRSS])) })`
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(report)}`, `server/${program}.ts`, ...args],
    {
      env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', BACKUP_DIR: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let said = ''
  child.stderr.on('data', (text) => (said += String(text)))
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(said)
  const [cpu, memory] = JSON.parse(/USED (.*)/.exec(said)![1]!) as [number, number]
  return { what, seconds: (performance.now() - begun) / 1000, cpu: cpu / 1e6, memory: memory / 1024 }
}

async function measure({ folder, say }: Parameters<Area['measure']>[0]): Promise<string> {
  const [dataDir, empty] = [join(folder, 'backup-shop'), join(folder, 'backup-empty')]
  say('a shop of 100,000 messages and 1,000 pictures')
  await fillShop(dataDir)
  say('backup, check, restore')
  const runs = [await run('`npm run backup`: written, read again, compared', 'backup', [], dataDir)]
  const [name] = await readdir(join(dataDir, 'backups'))
  const archive = join(dataDir, 'backups', name!)
  runs.push(await run('`npm run restore -- file --check`', 'restore', [archive, '--check'], empty))
  runs.push(await run('`npm run restore -- file` onto an empty machine: checked, loaded, compared row by row', 'restore', [archive], empty))
  const [size, database] = [(await stat(archive)).size, (await stat(join(dataDir, 'shop.db'))).size]
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
  return `## Backups: how long and how large

${(CONVERSATIONS * MESSAGES).toLocaleString('en-US')} messages in ${CONVERSATIONS} conversations and ${PICTURES.toLocaleString('en-US')} pictures of ${PICTURE_BYTES / 1000} kB, SQLite.
The database has ${mb(database)}, the pictures ${mb(PICTURES * PICTURE_BYTES)}, the archive ${mb(size)}. Command: \`npm run bench -- --only backups --write\`.

${table(
  ['what', 'seconds', 'of these computing', 'most memory, MB'],
  runs.map(({ what, seconds, cpu, memory }) => [what, seconds.toFixed(1), cpu.toFixed(1), memory.toFixed(0)]),
)}
`
}

export const backups: Area = { document: 'reliability', measure }
