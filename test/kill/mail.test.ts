/** The built shop is killed while a letter is under way: nothing of it is lost, and it is delivered once more. */
import { DatabaseSync } from 'node:sqlite'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFormTime } from '#app/platform/form-time.server.ts'
import { freePort } from '../free-port.ts'
import { newDataDir, openProcess } from '../open-process.ts'
import { openSmtp, refusal } from '../open-smtp.ts'

const form = { name: 'Dora Knott', email: 'dora@mail.test', phone: '0123456789', message: 'Do you make curtains?' }

async function write(url: string, dataDir: string, message: string) {
  const secret = (await readFile(join(dataDir, 'secrets', 'forms'), 'utf8')).trim()
  const stamp = await openFormTime(secret).stamp(Date.now() - 60_000)
  return fetch(`${url}/contact.data`, { method: 'POST', body: new URLSearchParams({ ...form, message, stamp }), headers: { origin: url } })
}

function outbox(dataDir: string) {
  const db = new DatabaseSync(join(dataDir, 'shop.db'), { readOnly: true, timeout: 20_000 })
  const rows = db.prepare('select text, attempts, sentAt from outbox order by createdAt').all() as {
    attempts: number
    sentAt: number | null
  }[]
  const orders = db.prepare('select count(*) as count from orders').get() as { count: number }
  db.close()
  return { rows, orders: orders.count }
}
/** The minute for which the killed process held its letter passes. */
function letTimePass(dataDir: string) {
  const db = new DatabaseSync(join(dataDir, 'shop.db'), { timeout: 20_000 })
  db.exec('update outbox set claimedUntil = 0 where claimedUntil is not null')
  db.close()
}

test('a shop that is killed between the commit and the delivery delivers after its next start, once', { timeout: 120_000 }, async () => {
  const smtp = await openSmtp({ letter: () => 'hang' })
  const [dataDir, port] = [await newDataDir(), await freePort()]
  const env = {
    DATA_DIR: dataDir,
    PORT: String(port),
    OWNER_EMAIL: 'owner@shop.test',
    OWNER_PASSWORD: 'a-good-password',
    SMTP_URL: smtp.url,
  }
  let shop = openProcess(env)
  const url = await shop.opened
  const sent = write(url, dataDir, form.message).catch(() => null)
  await smtp.when(() => smtp.seen.length === 1)
  shop.kill('SIGKILL')
  await Promise.all([shop.ended, sent])
  expect(outbox(dataDir)).toMatchObject({ rows: [{ attempts: 1, sentAt: null }], orders: 1 })

  letTimePass(dataDir)
  smtp.manners.letter = () => null
  shop = openProcess(env)
  await shop.opened
  await smtp.when(() => smtp.received.length === 1)
  shop.kill('SIGTERM')
  await shop.ended
  expect(outbox(dataDir).rows).toMatchObject([{ attempts: 2 }])
  expect(outbox(dataDir).rows[0]!.sentAt).not.toBe(null)

  // Another start finds nothing to do; a letter that had been refused leaves with the start after that.
  smtp.manners.recipient = () => refusal(450, 'busy')
  shop = openProcess(env)
  await shop.opened
  expect((await write(url, dataDir, 'A second one')).status).toBe(202)
  shop.kill('SIGKILL')
  await shop.ended
  smtp.manners.recipient = () => null
  shop = openProcess(env)
  await shop.opened
  await smtp.when(() => smtp.received.length === 2)
  shop.kill('SIGTERM')
  await shop.ended
  expect(smtp.received.map(({ raw }) => raw.includes('curtains'))).toEqual([true, false])
})
