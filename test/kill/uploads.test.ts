/** The built shop is killed while pictures come in and their widths are made: what was acknowledged is there, whole, and nothing else for long. */
import { DatabaseSync } from 'node:sqlite'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { corners } from '../drawn-pictures.ts'
import { freePort } from '../free-port.ts'
import { newDataDir, openProcess } from '../open-process.ts'

const OWNER = { email: 'owner@shop.test', password: 'a-good-password' }
type Row = { path: string; widths: string; state: string }

function withDatabase<T>(dataDir: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(dataDir, 'shop.db'), { timeout: 20_000 })
  try {
    return work(db)
  } finally {
    db.close()
  }
}
const rowsOf = (dataDir: string) => withDatabase(dataDir, (db) => db.prepare('select path, widths, state from pictures').all() as Row[])
const filesOf = async (dataDir: string) =>
  (await readdir(join(dataDir, 'files'), { recursive: true })).filter((name) => /\.\w+$/.test(name))

test(
  'FILES-10 a kill in the middle of uploads and of the work on them loses none that was acknowledged and leaves no half file under a name',
  { timeout: 120_000 },
  async () => {
    const [dataDir, port] = [await newDataDir(), await freePort()]
    const env = { DATA_DIR: dataDir, PORT: String(port), OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: OWNER.password }
    let shop = openProcess(env)
    const origin = await shop.opened
    withDatabase(dataDir, (db) =>
      db.exec(
        `insert into categories (id, title, color, position, "createdAt", "firstCreatedAt") values ('wall', 'Wall', '#ffffff', 0, 0, 0)`,
      ),
    )
    const photo = new Uint8Array(await corners(1600, 1200).jpeg().toBuffer())
    const signedIn = await fetch(`${origin}/login`, {
      method: 'POST',
      body: new URLSearchParams({ intent: 'login', ...OWNER }),
      headers: { origin },
      redirect: 'manual',
    })
    const cookie = signedIn.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const acknowledged: string[] = []
    async function upload() {
      const body = new FormData()
      body.set('categoryId', 'wall')
      body.set('file', new File([photo], 'photo.jpg', { type: 'image/jpeg' }))
      const response = await fetch(`${origin}/manage/item-picture`, { method: 'POST', body, headers: { origin, cookie } })
      const { url } = (await response.json()) as { url?: string }
      if (url) acknowledged.push(url.replace('/pictures/', ''))
    }

    for (let round = 0; round < 3; round++) {
      const enough = acknowledged.length + 2 + round
      const senders = Array.from({ length: 3 }, async () => {
        while (
          await upload().then(
            () => true,
            () => false,
          )
        );
      })
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThanOrEqual(enough), { timeout: 30_000 })
      shop.kill('SIGKILL')
      await Promise.all([shop.ended, ...senders])
      const [rows, files] = [rowsOf(dataDir), await filesOf(dataDir)]
      for (const path of acknowledged) expect(rows.map((row) => row.path)).toContain(path)
      // A row never comes before its files.
      for (const { path, widths } of rows)
        for (const file of [path, ...(JSON.parse(widths) as number[]).map((width) => path.replace('.jpg', `.${width}.avif`))])
          expect(files).toContain(file)
      // The pause of the try that was cut off passes; what nothing names grows old.
      withDatabase(dataDir, (db) => db.exec(`update pictures set "nextAttemptAt" = 0`))
      shop = openProcess(env)
      await shop.opened
    }

    await vi.waitFor(() => expect(rowsOf(dataDir).filter(({ state }) => state !== 'finished')).toEqual([]), {
      timeout: 60_000,
      interval: 200,
    })
    shop.kill('SIGTERM')
    await shop.ended
    expect((await filesOf(dataDir)).filter((name) => name.endsWith('.part'))).toEqual([])
  },
)
