// npm run dev: the shop for those who work on it; pages change in place, a change of the server starts it again.
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, leaveWithNpm, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)
process.exitCode = await run('node', ['--watch-path=server', 'server/dev.ts'], environment(bin, { NODE_ENV: 'development' }))
