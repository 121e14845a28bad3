import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFormTimestamp } from '#lib/http/form-timestamp.server.ts'
import { count, newDataDir, openProcess, settings, using } from '#test/fixtures/processes.ts'
import { openSmtp } from '#test/fixtures/email.ts'

async function writeToShop(url: string, dataDir: string) {
  const secret = (await readFile(join(dataDir, 'secrets', 'forms'), 'utf8')).trim()
  const stamp = await createFormTimestamp(secret).stamp(Date.now() - 60_000)
  const form = {
    name: 'Dora Knott',
    email: 'dora@mail.test',
    phone: '0123456789',
    message: 'Do you make curtains?',
    stamp,
  }
  return fetch(`${url}/contact.data`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { origin: url },
  })
}

test(
  'if the process is killed while it sends an email, the next process sends the email once',
  { timeout: 120_000 },
  async () => {
    const smtp = await openSmtp({ message: () => 'hang' })
    const dataDir = await newDataDir()
    const database = join(dataDir, 'shop.db')
    const env = { ...settings(dataDir), SMTP_URL: smtp.url }
    const first = openProcess(env)
    const sent = writeToShop(await first.opened(), dataDir).catch(() => null)
    await expect.poll(() => smtp.seen.length, { interval: 5 }).toBe(1)
    await Promise.all([first.stop('SIGKILL'), sent])
    expect(count(database, 'outbox where attempts = 1 and "sentAt" is null')).toBe(1)
    // The killed process had claimed the email for a minute, so the test ends the claim.
    using(database, (db) => db.exec('update outbox set "claimedUntil" = 0'))

    smtp.manners.message = () => null
    for (let start = 0; start < 2; start += 1) {
      const shop = openProcess(env)
      await shop.opened()
      await expect.poll(() => smtp.received.length, { interval: 5 }).toBe(1)
      await shop.stop()
    }
    expect(smtp.received.map(({ raw }) => raw.includes('curtains'))).toEqual([true])
    expect(count(database, 'outbox where attempts = 2 and "sentAt" is not null')).toBe(1)
    expect(count(database, 'orders')).toBe(1)
  },
)
