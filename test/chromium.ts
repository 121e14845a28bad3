// Finds a Chromium for the browser journeys, or installs Debian's where that is possible, and starts it.
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser, type Page } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const isRoot = process.getuid?.() === 0

/** Chromium takes the last list alone, so Playwright's own (of 1.65) stands here once more. */
const switchedOff = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable'],
  ...['LensOverlay', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect'],
  ...['TcpPortRandomizationWin', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
  // Lists under an address bar that nobody sees: two pages of its own for each window, which took more of the processor than the shop's.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
]

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
    `--disable-features=${switchedOff.join(',')}`,
  ]
  const args = [...(isRoot ? ['--no-sandbox'] : []), ...quiet, ...more] // root has no sandbox to enter
  const browser = await chromium.launch({ executablePath: await findChromium(), headless: true, chromiumSandbox: !isRoot, args })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    if (options?.javaScriptEnabled !== false) context.on('page', openWhole)
    return context
  }
  return browser
}

/** The scripts of a page begin once it has been painted, after its load; journeys are about what people do when it is all there. */
function openWhole(page: Page) {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  page.goto = async (...given) => whole(page, await goto(...given))
  page.reload = async (...given) => whole(page, await reload(...given))
}

async function whole<Answer>(page: Page, answer: Answer): Promise<Answer> {
  // Set by an effect of the root route; documents that are no page of the shop have no data-theme.
  const isAlive = () => {
    const { theme, hydrated } = document.documentElement.dataset
    return theme === undefined || hydrated !== undefined
  }
  // Where a journey keeps the scripts away there is nothing to wait for.
  await page.waitForFunction(isAlive, undefined, { timeout: 5000 }).catch(() => {})
  return answer
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
