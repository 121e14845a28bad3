import { expect, test } from 'vitest'
import { newDataDir, openProcess, settings } from '#test/fixtures/processes.ts'
import { freePort } from '#test/fixtures/network.ts'
import { startWriters, readStoredMessages, writeUnderFire } from '#bench/message-load.ts'

test('no message is lost, doubled or reordered while connections break, devices sleep, pages reload and the shop restarts [S-077] [S-169]', async () => {
  const dataDir = await newDataDir()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const env = { ...settings(dataDir), PORT: String(port) }
  let shop = openProcess(env)
  await shop.opened()
  const people = await startWriters(
    origin,
    dataDir,
    { email: env.OWNER_EMAIL, password: env.OWNER_PASSWORD },
    3,
  )
  const restart = async (how: 'SIGKILL' | 'SIGTERM') => {
    await shop.stop(how)
    shop = openProcess(env)
    await shop.opened()
  }

  const outcome = await writeUnderFire({ origin, restart }, people, {
    events: 40,
    seed: 20261,
    read: () => readStoredMessages(dataDir),
  })

  expect(outcome).toMatchObject({ lost: [], doubled: [], swapped: [], stale: [] })
  expect(outcome).toMatchObject({ pressed: 81, events: { restart: 2 } })
})
