// npm run dev: runs the shop for contributors, with hot reloading. When a server file changes, the
// shop restarts.
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, leaveWithNpm, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)
process.exitCode = await run(
  'node',
  ['--watch-path=server', 'server/dev.ts'],
  environment(bin, { NODE_ENV: 'development' }),
)
