// npm run backup: the whole shop in one archive, while it is open or not (docs/operating.md, Backup).
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, leaveWithNpm, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)
process.exitCode = await run('node', ['server/backup.ts', ...process.argv.slice(2)], environment(bin, { NODE_ENV: 'production' }))
