/** The short form of what the bench does a thousand times (bench/messages.ts). */
import { expect, test } from 'vitest'
import { newDataDir, openProcess } from '../open-process.ts'
import { freePort } from '../free-port.ts'
import { enterUnderFire, readKept } from '../fire-people.ts'
import { writeUnderFire } from '../under-fire.ts'

test('S-077 S-169 while connections break, devices sleep, pages reload and the shop restarts no message is lost, doubled or out of order', async () => {
  const dataDir = await newDataDir()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const env = { DATA_DIR: dataDir, PORT: String(port), OWNER_EMAIL: 'owner@shop.test', OWNER_PASSWORD: 'a-good-password' }
  let shop = openProcess(env)
  await shop.opened
  const people = await enterUnderFire(origin, dataDir, { email: 'owner@shop.test', password: 'a-good-password' }, 3)
  const restart = async (how: 'SIGKILL' | 'SIGTERM') => {
    shop.kill(how)
    await shop.ended
    shop = openProcess(env)
    await shop.opened
  }

  const outcome = await writeUnderFire({ origin, restart }, people, { events: 40, seed: 20261, read: () => readKept(dataDir) })

  expect(outcome).toMatchObject({ lost: [], doubled: [], swapped: [], stale: [], miscounted: [] })
  expect(outcome).toMatchObject({ pressed: 81, events: { restart: 2 } })
})
