// npm start: brings what is missing, then opens the shop. With --prepare it ends before that: for a service that may not write here.
import module from 'node:module'
import { join } from 'node:path'
import { build } from './build.mjs'
import { install } from './install.mjs'
import { isNewEnough, node24 } from './node24.mjs'
import { environment, leaveWithNpm, root, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin, { hasDev: false })
await build(bin)
if (process.argv.includes('--prepare')) process.exit()

const compiled = join(root, '.cache', 'compiled') // Node keeps compiled code here: a quarter less work at the next start

if (isNewEnough(process.version)) {
  process.chdir(root)
  process.env.NODE_ENV = 'production'
  module.enableCompileCache(compiled)
  await import('../build/server/index.js')
} else {
  const env = environment(bin, { NODE_ENV: 'production', NODE_COMPILE_CACHE: compiled })
  process.exitCode = await run(join(bin, 'node'), ['build/server/index.js'], env)
}
