import { Form, Link } from 'react-router'
import { HiddenFields } from '#app/ui/form-fields.tsx'
import type { FirstStep } from './first-steps.server.ts'
import { firstStepsTexts as texts } from './texts.ts'
import css from './dashboard-page.module.css'

const urls: Record<FirstStep, string> = {
  name: '/manage/settings/#shop',
  region: '/manage/settings/#region',
  contact: '/manage/settings/#contact',
  texts: '/manage/home/',
  categories: '/manage/category/',
  colors: '/manage/colors/',
  piece: '/manage/item/',
  payment: '/manage/settings/#payments',
  email: '/manage/mail/#mailbox-form',
  backup: '/manage/backups/',
}

/** Each step that is done has a check mark, for which screen readers say "done". [OWN-115] */
export const FirstStepsCard = ({ steps }: { steps: { step: FirstStep; isDone: boolean }[] }) => (
  <section
    className={`card ${css.steps}`}
    aria-labelledby="first-steps"
  >
    <h2 id="first-steps">{texts.title}</h2>
    <p className="soft">{texts.intro(steps.filter(({ isDone }) => isDone).length, steps.length)}</p>
    <ol role="list">
      {steps.map(({ step, isDone }) => (
        <li
          key={step}
          data-done={isDone}
        >
          <Link
            className="tap"
            to={urls[step]}
          >
            {texts.steps[step]}
          </Link>
          {isDone && <span className="visually-hidden">{texts.done}</span>}
        </li>
      ))}
    </ol>
    <Form
      method="post"
      action="/manage/?index"
    >
      <HiddenFields intent="hide-first-steps" />
      <button className="button quiet">{texts.hide}</button>
    </Form>
  </section>
)
