import { SceneForm, type SceneView } from '#images/scene-form.tsx'
import { PageTextsEditor, TextGroup, TextInput } from '#settings/page-texts-form.tsx'
import type { PageTextSection, PageTextsResult } from '#settings/page-texts.server.ts'
import { editAboutTexts as texts } from './owner-texts.ts'

type EditAboutPageProps = {
  sections: PageTextSection[]
  scenes: SceneView[]
  answer: PageTextsResult | undefined
}

export function EditAboutPage({ sections, scenes, answer }: EditAboutPageProps) {
  return (
    <PageTextsEditor
      title={texts.title}
      intro={texts.intro}
      action="/manage/about/"
      page="/about/"
      sections={sections}
      answer={answer}
    >
      {sections.map(({ id, title, inputs }) => (
        <TextGroup
          key={id}
          title={title}
        >
          {scenes
            .filter(({ scene }) => scene === id)
            .map((view) => (
              <SceneForm
                key={view.scene}
                {...view}
              />
            ))}
          {inputs.map((input) => (
            <TextInput
              key={input.key}
              input={input}
              answer={answer}
            />
          ))}
        </TextGroup>
      ))}
    </PageTextsEditor>
  )
}
