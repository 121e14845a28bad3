// npm start: installs missing packages, builds the shop if necessary, and starts it. With
// --prepare, the script does not start the shop, because the user of a service may not be allowed
// to write to this folder.
import module from 'node:module'
import { join } from 'node:path'
import { build } from './build.mjs'
import { install } from './install.mjs'
import { isNewEnough, node24 } from './node24.mjs'
import { memoryOptions } from './memory-limits.mjs'
import { environment, leaveWithNpm, root, run } from './run.mjs'

leaveWithNpm()
const bin = await node24()
await install(bin, { hasDev: false })
await build(bin)
if (process.argv.includes('--prepare')) process.exit()

// Node caches compiled code here, which makes the next start a quarter faster.
const compiled = join(root, '.cache', 'compiled')

if (isNewEnough(process.version)) {
  process.chdir(root)
  process.env.NODE_ENV = 'production'
  module.enableCompileCache(compiled)
  await import('../build/server/index.js')
} else {
  const env = environment(bin, { NODE_ENV: 'production', NODE_COMPILE_CACHE: compiled })
  process.exitCode = await run(join(bin, 'node'), [...memoryOptions, 'build/server/index.js'], env)
}
