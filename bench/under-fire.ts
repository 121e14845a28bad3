/** A thousand disconnections, sleeps, reloads and restarts while both sides write: what was lost or doubled is counted. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { enterUnderFire, readKept } from '../test/fire-people.ts'
import { freePort } from '../test/free-port.ts'
import { writeUnderFire } from '../test/under-fire.ts'
import { whole } from './figures.ts'
import { OWNER, serveShop } from './served-shop.ts'
import type { Bench, WorkFigure } from './workshop.ts'

const EVENTS = 1000
const CUSTOMERS = 6
const SEED = 20_261_121

export async function measureUnderFire({ folder, say }: Bench): Promise<WorkFigure[]> {
  say(`messages under fire: ${EVENTS} disconnections, sleeps, reloads and restarts`)
  const dataDir = join(folder, 'under-fire')
  await mkdir(dataDir, { recursive: true })
  const port = await freePort()
  let shop = await serveShop(dataDir, port)
  try {
    const people = await enterUnderFire(shop.origin, dataDir, OWNER, CUSTOMERS)
    const restart = async (how: 'SIGKILL' | 'SIGTERM') => {
      await shop.stop(how)
      shop = await serveShop(dataDir, port)
    }
    const read = () => readKept(dataDir)
    const outcome = await writeUnderFire({ origin: shop.origin, restart }, people, { events: EVENTS, seed: SEED, read })
    const { events, pressed, lost, doubled, swapped, stale, miscounted } = outcome
    const wrong = [lost, doubled, swapped, stale, miscounted].flat()
    if (wrong.length > 0) say(`found under fire: ${wrong.slice(0, 10).join('; ')}`)
    return [
      {
        what: `Both sides write ${whole(pressed)} messages through ${events.disconnect} disconnections, ${events.sleep} sleeps, ${events.reload} reloads, ${events.restart} restarts`,
        found: `${lost.length} lost, ${doubled.length} doubled, ${swapped.length} out of order`,
        beside: `${stale.length} pages and ${miscounted.length} unread counts wrong`,
        ratio: '–',
      },
    ]
  } finally {
    await shop.stop()
  }
}
