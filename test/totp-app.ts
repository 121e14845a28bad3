/** The app on the owner's phone, by another library than the shop's. Its clock, and the shop's for codes, stand still until they are turned. */
import { Secret, TOTP } from 'otpauth'
import { onTestFinished, vi } from 'vitest'
import type { Person } from './person.ts'

const STEP = 30_000

export function openTotpApp() {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  let totp: TOTP | null = null
  const app = {
    scan(key: string) {
      totp = new TOTP({ secret: Secret.fromBase32(key) })
    },
    /** The code of now, or of so many half minutes later. */
    code: (later = 0) => totp!.generate({ timestamp: Date.now() + later * STEP }),
    /** The next code that was never shown before. */
    next() {
      vi.setSystemTime(Date.now() + STEP)
      return app.code()
    },
  }
  return app
}
export type TotpApp = ReturnType<typeof openTotpApp>

export const SECOND_FACTOR = '/account/second-factor/'
export const keyOn = (html: string): string => /name="key" value="([A-Z2-7]+)"/.exec(html)?.[1] ?? ''
export const recoveryCodesOn = (html: string): string[] => [...html.matchAll(/<code>([a-z0-9-]{14})<\/code>/g)].map(([, code]) => code!)

/** Sets the app up as the owner does, page by page; gives the recovery codes. */
export async function turnOnSecondFactor(owner: Person, app: TotpApp, password: string): Promise<string[]> {
  app.scan(keyOn(await (await owner.post(SECOND_FACTOR, { intent: 'begin', password })).text()))
  return recoveryCodesOn(await (await owner.post(SECOND_FACTOR, { intent: 'confirm', code: app.code() })).text())
}
