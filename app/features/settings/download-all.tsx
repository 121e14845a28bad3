import { settingsTexts } from '#app/features/settings/texts.ts'
import { closeDialogAfterSubmit, PasswordPrompt } from '#app/ui/password-prompt.tsx'

/** `back` is the URL of the page to which the owner returns after a wrong password. */
export const DownloadAll = ({ back }: { back: string }) => (
  <PasswordPrompt
    label={settingsTexts.download}
    question={settingsTexts.downloadPassword}
  >
    {(prompt) => (
      // The browser itself sends this form, so that it saves the response as a file and stays on the page.
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
