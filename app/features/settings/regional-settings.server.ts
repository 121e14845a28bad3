/** The currencies and time zones that a shop can have. */
import { usualSymbol } from './shop-settings.ts'
import { settingsTexts as texts } from './texts.ts'

const timeZones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].toSorted()
const currencyNames = new Intl.DisplayNames('en-US', { type: 'currency' })
export const currencyCodes = Intl.supportedValuesOf('currency')

/** Returns the name that Intl uses for a time zone, which may have several names; null: unknown. */
function canonicalZone(name: string): string | null {
  try {
    return /^[a-z]/i.test(name) ? new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone : null
  } catch {
    return null
  }
}

const REGIONS = ['America', 'Europe', 'Asia', 'Africa', 'Australia', 'Pacific', 'Atlantic', 'Indian']

/** Turns 'America/New_York', 'new york' or '' into the name of a zone; null: unknown. [OWN-39] */
export function parseTimeZone(typed: string): string | null {
  const wanted = typed.trim().replaceAll(' ', '_')
  if (wanted === '') return ''
  const ofCity = timeZones.find((zone) => zone.toLowerCase().endsWith(`/${wanted.toLowerCase()}`))
  return [canonicalZone(wanted), ofCity, ...REGIONS.map((region) => canonicalZone(`${region}/${wanted}`))].find(Boolean) ?? null
}

/** The choices on the settings page. The server sends them, because browsers may know other currencies and time zones. */
export const regionalChoices = {
  currencyCode: currencyCodes
    .map((value) => ({ value, label: texts.currencyChoice(currencyNames.of(value) ?? value, usualSymbol(value)) }))
    .toSorted((a, b) => a.label.localeCompare(b.label)),
  timeZone: timeZones.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
}
