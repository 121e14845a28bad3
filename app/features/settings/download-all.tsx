import { PasswordDownload } from '#ui/password-prompt.tsx'
import { settingsTexts } from './texts.ts'

export const DownloadAll = ({ back }: { back: string }) => (
  <PasswordDownload
    label={settingsTexts.download}
    question={settingsTexts.downloadPassword}
    action="/manage/documents.json"
    fields={{ back }}
  />
)
