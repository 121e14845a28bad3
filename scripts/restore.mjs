// npm run restore -- <file> [--check]: an archive in the place of what the shop holds (docs/operating.md, Backup).
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, leaveWithNpm, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)
process.exitCode = await run('node', ['server/restore.ts', ...process.argv.slice(2)], environment(bin, { NODE_ENV: 'production' }))
