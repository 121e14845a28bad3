import { SceneForm, type SceneView } from '#app/features/images/scene-form.tsx'
import { PageTextsEditor, TextField, TextGroup } from '#app/features/settings/page-texts-form.tsx'
import type { PageTextsResult } from '#app/features/settings/page-texts.ts'
import { type AboutTexts, slideNumbers } from './about-texts.ts'
import { editAboutTexts as texts } from './owner-texts.ts'

type Props = { texts: AboutTexts; scenes: SceneView[]; answer: PageTextsResult | undefined }

export function EditAboutPage({ texts: stored, scenes, answer }: Props) {
  const field = (
    name: keyof AboutTexts,
    label: string,
    more: { rows?: number; hint?: string } = {},
  ) => (
    <TextField
      name={name}
      label={label}
      stored={stored[name]}
      answer={answer}
      {...more}
    />
  )
  return (
    <PageTextsEditor
      title={texts.title}
      intro={texts.intro}
      action="/manage/about/"
      page="/about/"
      stored={stored}
      answer={answer}
    >
      <TextGroup title={texts.beginning}>
        {field('aboutIntro', texts.introText, { rows: 2 })}
      </TextGroup>
      {slideNumbers.map((number, at) => (
        <TextGroup
          key={number}
          title={texts.slide(number)}
        >
          {scenes[at] && <SceneForm {...scenes[at]} />}
          {field(`slideAlt${number}`, texts.alt, { hint: texts.altHint })}
          {field(`slideTitle${number}`, texts.slideTitle)}
          {field(`slideText${number}`, texts.slideText, { rows: 4 })}
        </TextGroup>
      ))}
    </PageTextsEditor>
  )
}
