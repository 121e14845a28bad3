/** Where one is logged in, and logging out there (S-219). */
import { useFetcher } from 'react-router'
import { AccountSection } from '#app/features/account/account-section.tsx'
import type { Answer } from '#app/ui/answer.ts'
import { Ask } from '#app/ui/question.tsx'
import { BackField } from '#app/ui/back-field.tsx'
import { formatDate, formatTime } from '#app/ui/dates.ts'
import { LaptopMinimal, Smartphone } from '#app/ui/icons.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { DeviceLine } from '#app/features/account/account.ts'
import css from './devices-section.module.css'

const ACTION = '/account/devices'

export function DevicesSection({ devices, timeZone }: { devices: DeviceLine[]; timeZone: string }) {
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  const seen = (at: number) => `${formatDate(at, timeZone)}, ${formatTime(at, timeZone)}`
  return (
    <AccountSection id="devices" title="Devices" hint="Where you are logged in. Log out what you do not know, and change your password.">
      <ul role="list" className={css.devices}>
        {devices.map((device) => (
          <li className={`row ruled ${css.device}`} key={device.id}>
            {device.isHandheld ? <Smartphone size={24} aria-hidden="true" /> : <LaptopMinimal size={24} aria-hidden="true" />}
            <p className={`flush slim ${css.told}`}>
              <span className="strong">{device.name}</span>
              <span className="soft small">{device.isThis ? 'This device' : `Last seen ${seen(device.seenAt)}`}</span>
              <span className="soft small">{`Logged in ${formatDate(device.since, timeZone)}`}</span>
            </p>
            {!device.isThis && (
              <fetcher.Form method="post" action={ACTION}>
                <BackField />
                <input type="hidden" name="id" value={device.id} />
                <button className="button quiet" name="intent" value="one" aria-disabled={isPending} aria-label={`Log out ${device.name}`}>
                  Log Out
                </button>
              </fetcher.Form>
            )}
          </li>
        ))}
      </ul>
      {devices.length > 1 && (
        <div className={css.all}>
          <Ask label="Log Out All Other Devices" question="Log out on all other devices?" className="button quiet" isPending={isPending}>
            {(yesNo) => (
              <fetcher.Form method="post" action={ACTION}>
                <BackField />
                <input type="hidden" name="intent" value="others" />
                {yesNo}
              </fetcher.Form>
            )}
          </Ask>
        </div>
      )}
    </AccountSection>
  )
}
