/** Where somebody is logged in: one line for each session. */

export type DeviceLine = {
  /** of the session; worth nothing without its cookie */
  id: string
  name: string
  isHandheld: boolean
  /** the one that asks */
  isThis: boolean
  /** UTC milliseconds; known to within an hour */
  seenAt: number
  since: number
}

export const DEVICE_ENDED = 'That device is logged out'
export const NO_SUCH_DEVICE = 'That device was logged out already'

export const othersEnded = (count: number): string =>
  count === 0 ? 'No other device is logged in' : count === 1 ? '1 other device is logged out' : `${count} other devices are logged out`
