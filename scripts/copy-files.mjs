// npm run copy-files: copies the pictures of the data folder into the storage that FILES_URL names; with --back from there into the data folder.
import { install } from './install.mjs'
import { node24 } from './node24.mjs'
import { environment, leaveWithNpm, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin)
process.exitCode = await run('node', ['server/copy-files.ts', ...process.argv.slice(2)], environment(bin))
