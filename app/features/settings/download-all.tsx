import { closeDialogAfterSubmit, PasswordPrompt } from '#ui/password-prompt.tsx'
import { settingsTexts } from './texts.ts'

export const DownloadAll = ({ back }: { back: string }) => (
  <PasswordPrompt
    label={settingsTexts.download}
    question={settingsTexts.downloadPassword}
  >
    {(prompt) => (
      // React Router's <Form> could not save a file.
      <form
        method="post"
        action="/manage/documents.json"
        onSubmit={closeDialogAfterSubmit}
      >
        <input
          type="hidden"
          name="back"
          value={back}
        />
        {prompt}
      </form>
    )}
  </PasswordPrompt>
)
