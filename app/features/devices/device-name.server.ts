/** What a person would call the browser that a session belongs to. */
import { parse } from 'bowser'

export type Device = { name: string; isHandheld: boolean }

/** Browsers' own are shorter; what is longer was made up. */
const LONGEST = 500

/** What people call it, where the library has another word. */
const systems: Record<string, string> = { macOS: 'Mac', iOS: 'iPhone' }

/** S-219: "Safari on iPhone", "Firefox on Windows"; of what nobody knows only that it is a browser. Only names that the library knows get out. */
export function deviceOf(userAgent: string | null): Device {
  const { browser, os, platform } = parse((userAgent ?? '').slice(0, LONGEST) || ' ')
  const isHandheld = platform.type === 'mobile' || platform.type === 'tablet'
  const system = platform.model === 'iPad' ? 'iPad' : (systems[os.name ?? ''] ?? os.name ?? '')
  const name = browser.name || 'Unknown browser'
  return { name: system ? `${name} on ${system}` : name, isHandheld }
}
