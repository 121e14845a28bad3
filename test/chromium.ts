// Finds a Chromium for the browser journeys, or installs Debian's where that is possible, and starts it.
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const isRoot = process.getuid?.() === 0

export async function findChromium(): Promise<string> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const found = (await onPath(names)) ?? (await firstRunnable([chromium.executablePath()]))
  if (found) return found
  if (isRoot && (await onPath(['apt-get']))) {
    console.log("No Chromium found: installing Debian's by apt-get.")
    await apt('update')
    await apt('install', '--yes', '--no-install-recommends', 'chromium')
    const installed = await onPath(names)
    if (installed) return installed
  }
  throw new Error('The browser journeys need Chromium: install chromium or google-chrome, or set CHROMIUM_PATH to its program.')
}

export async function launchChromium(more: string[] = []): Promise<Browser> {
  const quiet = [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  const args = [...(isRoot ? ['--no-sandbox'] : []), ...quiet, ...more] // root has no sandbox to enter
  return chromium.launch({ executablePath: await findChromium(), headless: true, chromiumSandbox: !isRoot, args })
}

function onPath(programs: string[]) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return firstRunnable(programs.flatMap((program) => folders.map((folder) => join(folder, program))))
}

async function firstRunnable(paths: string[]): Promise<string | undefined> {
  for (const path of paths) {
    const isRunnable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isRunnable) return path
  }
  return undefined
}

async function apt(...args: string[]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await promisify(execFile)('apt-get', args, { env, maxBuffer: 64e6 }).catch((error: Error) => {
    throw new Error(`Chromium could not be installed; install it by hand or set CHROMIUM_PATH. ${error.message}`)
  })
}
