/** Live delivery, for the document: how long until another browser hears of a message. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Area } from './areas.ts'
import { register, signIn } from './customer.ts'
import { ms, times } from './figures.ts'
import { measureLive, type Delivery } from './live.ts'
import { table } from './report.ts'
import { OWNER, serveShop } from './served-shop.ts'

const MESSAGES = 300
const WRITERS = ['one', 'two', 'three']

export const liveArea: Area = {
  document: 'performance',
  async measure({ folder, demoShop, say }) {
    const dataDir = join(folder, 'live')
    await cp(demoShop, dataDir, { recursive: true })
    const shop = await serveShop(dataDir)
    try {
      say('live delivery')
      const writers = []
      for (const name of WRITERS)
        writers.push(await register(shop.origin, { email: `${name}@example.com`, password: 'a-password-for-the-bench' }))
      return written(await measureLive(await signIn(shop.origin, OWNER), writers, MESSAGES))
    } finally {
      await shop.stop()
    }
  },
}

const edges = ({ p50, p99 }: { p50: number; p99: number }) => [ms(p50), ms(p99)]

const written = ({ count, heard, answered, behindAnswer, echo }: Delivery) => `## Live delivery

${count} messages of customers, one after the other, each sent as a form; the owner's browser listens on its WebSocket. The shop
signals after the commit and before it answers the writer, so the signal usually comes first: "signal after the
answer" is then negative. "Echo" is a message to a bare WebSocket server and back. \`npm run bench -- --only live\`, ${new Date().toISOString().slice(0, 10)}.

${table(
  ['from … to …', 'p50 ms', 'p99 ms', 'p50 of echo'],
  [
    ['form sent … signal in the other browser', ...edges(heard), times(heard.p50, echo.p50)],
    ['form sent … answer that it is kept', ...edges(answered), times(answered.p50, echo.p50)],
    ['answer … signal (signal after the answer)', ...edges(behindAnswer), '–'],
    ['echo on a bare WebSocket', ...edges(echo), '1.00 x'],
  ],
)}
`
