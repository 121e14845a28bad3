/** Lists the currencies and time zones from which the owner chooses. */
import { usualSymbol } from './shop-settings.ts'
import { settingsTexts as texts } from './texts.ts'

const currencyNames = new Intl.DisplayNames('en-US', { type: 'currency' })
export const currencyCodes = Intl.supportedValuesOf('currency')

const zoneFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' })

/** Returns the main name of a time zone, because a time zone may have several names. Returns '' for '', and null for an unknown name. [OWN-39] */
export function parseTimeZone(name: string): string | null {
  if (name === '') return ''
  try {
    return /^[a-z]/i.test(name) ? zoneFormat(name).resolvedOptions().timeZone : null
  } catch {
    return null
  }
}

type Choice = { value: string; label: string }
/** Adds a method of Intl.Locale that TypeScript's type lacks. */
type Country = Intl.Locale & { getTimeZones(): string[] | undefined }
const byLabel = (a: Choice, b: Choice) => a.label.localeCompare(b.label)

/** Lists the time zones with labels such as "Portugal: Lisbon", because few owners know names such as Europe/Lisbon. [OWN-39] */
function listTimeZones(): Choice[] {
  const countryNames = new Intl.DisplayNames('en-US', { type: 'region' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const countries = letters.flatMap((first) =>
    letters.map((second) => new Intl.Locale('und', { region: first + second }) as Country),
  )
  const countryOf = new Map(
    countries.flatMap((country) =>
      (country.getTimeZones() ?? []).map((zone) => [zone, countryNames.of(country.region!)!]),
    ),
  )
  const labelOf = (zone: string) => {
    const name =
      zoneFormat(zone)
        .formatToParts(Date.UTC(2026, 0))
        .find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const city = zone.split('/').at(-1)!.replaceAll('_', ' ')
    return texts.zoneChoice(countryOf.get(zone), city, name)
  }
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])
  return [...zones].map((value) => ({ value, label: labelOf(value) })).toSorted(byLabel)
}

let zones: Choice[] | undefined

/** Returns the currencies and time zones on the settings page. The server lists them, because a browser may support other currencies and time zones than the server. */
export function regionalChoices(defaultZone: string) {
  // The time zones are listed only once, because listing them takes longer than all other work for the page.
  zones ??= listTimeZones()
  const { label } = zones.find(({ value }) => value === parseTimeZone(defaultZone)) ?? {
    label: defaultZone,
  }
  return {
    currencyCode: currencyCodes
      .map((value) => ({
        value,
        label: texts.currencyChoice(currencyNames.of(value) ?? value, usualSymbol(value)),
      }))
      .toSorted(byLabel),
    timeZone: [{ value: '', label: texts.noZoneChosen(label) }, ...zones],
  }
}
