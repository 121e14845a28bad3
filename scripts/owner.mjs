// npm run owner -- reset-password | second-factor off: the way back in for the owner (docs/operating.md).
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, leaveWithNpm, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)
process.exitCode = await run('node', ['server/owner.ts', ...process.argv.slice(2)], environment(bin, { NODE_ENV: 'production' }))
