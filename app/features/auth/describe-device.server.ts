import { parse } from 'bowser'
import { deviceTexts } from './email-verification/texts.ts'

/** The shop reads at most this many characters of a user agent. The user agents of browsers are shorter. */
const MAX_USER_AGENT_LENGTH = 500

/** In the list of devices, these names replace the names that the library bowser gives to operating systems. */
const systemNames: Record<string, string> = { macOS: 'Mac', iOS: 'iPhone' }

/** Returns a text such as "Safari on iPhone", or "Unknown browser". The text contains only names from the library bowser, never a part of the user agent. [S-219] */
export function describeDevice(userAgent: string | null): { name: string; isHandheld: boolean } {
  const { browser, os, platform } = parse((userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH) || ' ')
  const isHandheld = platform.type === 'mobile' || platform.type === 'tablet'
  const system = platform.model === 'iPad' ? 'iPad' : (systemNames[os.name ?? ''] ?? os.name ?? '')
  const name = browser.name || deviceTexts.unknownBrowser
  return { name: system ? deviceTexts.onSystem(name, system) : name, isHandheld }
}
