/** The pictures of a message that is on its way: what was chosen, and how far it has come. */
import { Image } from 'lucide-react'
import type { ChatPicture } from './chat-pictures.ts'
import { namesOfPictures } from './message-pictures.ts'
import type { Outgoing } from './outgoing.ts'
import { UploadState } from './upload-state.tsx'
import css from './message-pictures.module.css'

type Props = { outgoing: Outgoing; pictures: readonly ChatPicture[] }

export function OutgoingPictures({ outgoing: { fields }, pictures }: Props) {
  const names = namesOfPictures(fields)
  if (names.length === 0) return null
  return (
    <span className={css.pictures} data-many={names.length > 1 || undefined}>
      {names.map((name, at) => {
        const picture = pictures.find(({ key, upload }) => key === name || (upload.state === 'uploaded' && upload.id === name))
        return (
          <span className={css.one} key={name}>
            {picture?.src ? (
              <img className={css.preview} src={picture.src} alt={`${at + 1} of ${names.length}, from you`} />
            ) : (
              // Chosen before the page was loaded anew, or nothing that this browser can show.
              <span className={css.waiting}>
                <Image size={24} aria-label={`${at + 1} of ${names.length}, from you`} />
              </span>
            )}
            {picture && <UploadState upload={picture.upload} name={`picture ${at + 1}`} />}
          </span>
        )
      })}
    </span>
  )
}
