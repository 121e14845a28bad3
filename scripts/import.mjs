// npm run import -- <file or folder>: moves a shop in from a Firestore export (docs/operating.md, Moving here).
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, leaveWithNpm, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)
process.exitCode = await run('node', ['server/import.ts', ...process.argv.slice(2)], environment(bin, { NODE_ENV: 'production' }))
