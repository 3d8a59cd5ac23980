"""Shapes of the HTTP API, generated from its OpenAPI document by generate_models.py. Not edited by hand."""

from __future__ import annotations

from typing import Any, Dict, Literal

from pydantic import (
    AnyUrl,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    PositiveInt,
    RootModel,
    conint,
    constr,
)


class AgreementConfusion(BaseModel):
    """
    Counts of pairs.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    both: int = Field(..., description='Positive in both.')
    score_only: int = Field(..., description='Positive by the score alone.')
    reference_only: int = Field(..., description='Positive by the reference alone.')
    neither: int


class Agreement(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    against: str = Field(..., description='`reward`, or the name of another score.')
    threshold: float = Field(
        ..., description='From which value on a score counts as positive.'
    )
    positive: str = Field(
        ...,
        description='The rule for a positive reference. Reward: the episode succeeded. Score: its value is at least the threshold.',
    )
    pairs: int = Field(..., description='Episodes with both.')
    without_score: int = Field(..., description='Episodes with the reference alone.')
    without_reference: int = Field(..., description='Episodes with the score alone.')
    confusion: AgreementConfusion = Field(
        ..., description='Counts of pairs.', title='AgreementConfusion'
    )
    accuracy: float | None = Field(
        ..., description='The share of pairs on whose side of the threshold both agree.'
    )
    kappa: float | None = Field(
        ...,
        description='Cohen’s kappa: agreement beyond chance. Null if chance alone would agree on all.',
    )
    pearson: float | None = Field(
        ..., description='Correlation of the values. Null if either never varies.'
    )
    spearman: float | None = Field(..., description='The same of their ranks.')
    mean_difference: float | None = Field(
        ..., description='The mean of score − reference: its bias.'
    )


class AnswerCountsByRoleItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    total: int = Field(
        ...,
        description='Answers in all; a call that asks for several samples has several.',
    )
    cut: int = Field(
        ...,
        description='Ended by the limit on their length (`max_tokens`), whatever they hold.',
    )
    empty: int = Field(..., description='Without text, and not cut.')
    filtered: int = Field(
        ..., description='Withheld or broken off by a content filter.'
    )
    refused: int = Field(
        ..., description='Refusals that the endpoint gave apart from content.'
    )
    unparsable: int = Field(
        ...,
        description='None of these, and not in the form asked for: an answer of the agent without `Action:`, a verdict or a program that could not be read.',
    )


class AnswerCounts(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    total: int = Field(
        ...,
        description='Answers in all; a call that asks for several samples has several.',
    )
    cut: int = Field(
        ...,
        description='Ended by the limit on their length (`max_tokens`), whatever they hold.',
    )
    empty: int = Field(..., description='Without text, and not cut.')
    filtered: int = Field(
        ..., description='Withheld or broken off by a content filter.'
    )
    refused: int = Field(
        ..., description='Refusals that the endpoint gave apart from content.'
    )
    unparsable: int = Field(
        ...,
        description='None of these, and not in the form asked for: an answer of the agent without `Action:`, a verdict or a program that could not be read.',
    )
    by_role: (
        dict[
            Literal['value', 'debate', 'reflection', 'learner', 'verifier', 'judge', 'captioner', 'embedding'],
            AnswerCountsByRoleItem,
        ]
        | None
    ) = Field(None, description='Of these, the answers of roles such as the judge (`value`); the others are the agent’s own.')


class AnswerWarning(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    asked: Literal['policy', 'value', 'debate', 'reflection', 'learner', 'verifier', 'judge', 'captioner', 'embedding'] = (
        Field(..., description='Whose answers: `policy` is the agent.')
    )
    fault: Literal['filtered', 'refused', 'cut', 'empty', 'unparsable'] = (
        Field(
            ...,
            description='`filtered`: withheld or interrupted by a content filter. `refused`: the text of a refusal that the endpoint gave apart from content. `cut`: ended by the limit on its length, whatever its text. `empty`: without text. `unparsable`: text in none of the requested forms.',
        )
    )
    count: int
    total: int = Field(..., description='Answers of the same model in all.')
    share: float = Field(..., description='`count` by `total`, 0 to 1.')
    param: str | None = Field(
        ..., description='The field of the run to change; null if there is none.'
    )
    message: str


class BoundedUsage(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    model_calls: int
    tokens: int
    cost: float | None = Field(
        ..., description='US dollars; null if an endpoint states no prices.'
    )


class ChosenPreset(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: Literal['exact-vwa', 'exact-osworld', 'agent-r', 'eto', 'learnact']
    deviations: list[str] = Field(
        ...,
        description='Differences that remain from the preset: those it cannot reproduce here, and each of its settings that the request replaced.',
    )


class CompareRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    runs: list[str] = Field(..., description='The first is the baseline.')
    interval: Literal['t', 'bootstrap'] | None = Field(
        't',
        description='Method for intervals: Student’s t (Wilson’s score for rates), or a bootstrap that draws the tasks again 10,000 times.',
    )


class ComparisonSettingsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    field: str = Field(..., description='Of the request, such as `method.iterations`.')
    values: list[str | float | bool | None] = Field(
        ...,
        description='One for each run, in their order; null if the request has none.',
    )


class ComparisonWarningsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    term: Literal['horizon', 'temperature', 'answer_limit', 'prompt_budget', 'sampling', 'stop', 'split', 'environment', 'prompts', 'episode_limits']
    field: str
    values: list[str | float | bool | None] = Field(
        ..., description='One for each run, in their order.'
    )
    message: str


class ComparisonRunsItemDifferenceValueSignTest(BaseModel):
    """
    Exact and two-sided; with one episode a task, McNemar’s test.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    better: int = Field(
        ..., description='Tasks with a higher share of successes than the baseline’s.'
    )
    worse: int
    p_value: float | None


class CurveEpisodes(BaseModel):
    """
    Over how many episodes the points are.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    scored: int = Field(..., description='Episodes with a reward.')
    read: int = Field(
        ...,
        description='Of those, how many journals were read: all, or a seeded sample of a large run.',
    )


class CurvesRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    runs: list[str]
    over: Literal['calls', 'tokens', 'cost'] | None = Field(
        'calls',
        description='The unit of the budget: model calls, tokens of input and output, or US dollars.',
    )


class DatasetProgress(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    phase: Literal['planning', 'asking', 'collecting', 'assembling', 'done'] = (
        Field(
            ...,
            description='`asking`: a model is asked about the episodes, by the run in `annotation_run`.',
        )
    )
    parts: int = Field(
        ...,
        description='Number of parts that divide the episodes; 0 until it is known.',
    )
    parts_done: int


class DatasetSplitsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    rows: int
    tasks: int


class DatasetGatesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    found: int
    dropped: int


class DatasetTokensValue(BaseModel):
    """
    Of the rows that are in; null until they are counted.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    tokenizer: str
    total: int
    longest: int


class DatasetFilesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str
    rows: int | None
    bytes: int
    sha256: str


class DatasetFormat(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: Literal['openai', 'trl', 'llama-factory', 'axolotl', 'xtuner', 'fastchat', 'agenttraj', 'agent-r', 'parquet']
    object: Literal['dataset_format']
    description: str
    container: Literal['jsonl', 'json', 'parquet'] = Field(
        ..., description='`jsonl`: a row a line; `json`: one list; `parquet`: columns.'
    )
    reads_gzip: bool = Field(
        ...,
        description='True if its trainers read the files as stored; if false, unpack them first.',
    )
    kinds: list[Literal['sft', 'preference', 'step-preference', 'revision', 'exploration', 'unpaired', 'process-reward', 'prompts']]
    pictures: list[Literal['sft', 'preference', 'step-preference', 'revision', 'exploration', 'unpaired', 'process-reward', 'prompts']] = (
        Field(..., description='The kinds of which it has rows that show pictures.')
    )


class DatasetFormatList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[DatasetFormat]
    has_more: bool
    first_id: str | None
    last_id: str | None


class DatasetGates(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    duplicates: Literal['drop', 'keep'] = Field(
        ...,
        description='Rows that are equal to an earlier one, character for character.',
    )
    held_out: Literal['drop', 'keep'] = Field(
        ...,
        description='Rows of tasks that the environment holds out for evaluation (every split but `train`): training on them makes later evaluations worthless.',
    )
    empty_turns: Literal['drop', 'keep'] = Field(
        ..., description='Rows with a turn that is empty or white space.'
    )
    same_action: Literal['drop', 'keep'] = Field(
        ...,
        description='Pairs of the kind `step-preference` whose two sides take the same action. They would teach only a style of talking about it.',
    )
    max_tokens: int | None = Field(
        ...,
        description='Rows that are longer are dropped: a trainer would cut them, often without a word.',
    )
    tokenizer: Literal['estimate', 'o200k_base', 'cl100k_base'] = Field(
        ...,
        description='The token counter: OpenAI’s encodings, or an estimate from the characters.',
    )


class DatasetGatesInput(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    duplicates: Literal['drop', 'keep'] | None = Field(
        'drop',
        description='Rows that are equal to an earlier one, character for character.',
    )
    held_out: Literal['drop', 'keep'] | None = Field(
        'drop',
        description='Rows of tasks that the environment holds out for evaluation (every split but `train`): training on them makes later evaluations worthless.',
    )
    empty_turns: Literal['drop', 'keep'] | None = Field(
        'drop', description='Rows with a turn that is empty or white space.'
    )
    same_action: Literal['drop', 'keep'] | None = Field(
        'drop',
        description='Pairs of the kind `step-preference` whose two sides take the same action. They would teach only a style of talking about it.',
    )
    max_tokens: int | None = Field(
        None,
        description='Rows that are longer are dropped: a trainer would cut them, often without a word.',
    )
    tokenizer: Literal['estimate', 'o200k_base', 'cl100k_base'] | None = Field(
        'estimate',
        description='The token counter: OpenAI’s encodings, or an estimate from the characters.',
    )


class DatasetKind(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: Literal['sft', 'preference', 'step-preference', 'revision', 'exploration', 'unpaired', 'process-reward', 'prompts']
    object: Literal['dataset_kind']
    description: str
    source: str = Field(
        ..., description='The paper behind it, and the part of it that this covers.'
    )
    parameters: dict[str, Any] = Field(
        ..., description='A JSON Schema with the defaults.'
    )
    formats: list[Literal['openai', 'trl', 'llama-factory', 'axolotl', 'xtuner', 'fastchat', 'agenttraj', 'agent-r', 'parquet']]
    asks_model: bool = Field(
        ..., description='True if a build may ask a model, which costs money.'
    )
    uses_experts: bool = Field(
        ..., description='True if it reads the request’s `experts`.'
    )


class DatasetKindList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[DatasetKind]
    has_more: bool
    first_id: str | None
    last_id: str | None


class DatasetPictures(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    rows: int = Field(..., description='Rows that show pictures.')
    files: int = Field(
        ..., description='Different pictures in them, each counted once.'
    )
    bytes: int = Field(..., description='Of these.')
    left_out: int = Field(
        ...,
        description='Pictures that rows do not show though prompts did, because the request leaves them out.',
    )
    rows_without: int = Field(
        ..., description='Rows from which pictures were left out.'
    )


class DatasetPreviewListed(BaseModel):
    """
    All listed episodes and imported trajectories, experts included.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    episodes: int
    left_out: dict[str, int] = Field(
        ..., description='Those of them that are no attempts at a task, by reason.'
    )


class DatasetPreviewRead(BaseModel):
    """
    The part that the preview searched for rows: the first tasks, until it had read some fifty trees.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    tasks: int
    attempts: int
    left_out: dict[str, int] = Field(
        ..., description='Attempts that gave no row, by reason.'
    )


class DatasetPreviewGatesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    found: int
    dropped: int


class DatasetPreviewTokens(BaseModel):
    """
    Of the rows that are in.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    tokenizer: str
    total: int
    longest: int


class DatasetPreviewPictures(BaseModel):
    """
    Pictures of the accepted rows; absent if the runs showed none.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    rows: int = Field(..., description='Rows that show pictures.')
    files: int = Field(
        ..., description='Different pictures in them, each counted once.'
    )
    left_out: int = Field(
        ...,
        description='Pictures that rows do not show though prompts did, because the request leaves them out.',
    )
    rows_without: int = Field(
        ..., description='Rows from which pictures were left out.'
    )


class DatasetPreviewAsksValue(BaseModel):
    """
    Which model building it would ask; rows that need its answers are not shown. Null: none.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    episodes: int = Field(
        ..., description='At most so many episodes, each in one call or several.'
    )
    endpoint: str
    model: str


class DatasetRequestMix(BaseModel):
    """
    General conversations to mix in, drawn by the seed, so that a model keeps its abilities beside the tasks. For kinds whose rows are conversations.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    trajectories: list[str] = Field(
        ...,
        description='Imported conversations, by their ids. Every answer in them is learned.',
    )
    share: float = Field(
        ...,
        description='Which part of the rows of each split they make up; 0.2 is Agent-R’s.',
    )


class DatasetRequestInputMix(BaseModel):
    """
    General conversations to mix in, drawn by the seed, so that a model keeps its abilities beside the tasks. For kinds whose rows are conversations.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    trajectories: list[str] = Field(
        ...,
        description='Imported conversations, by their ids. Every answer in them is learned.',
    )
    share: float | None = Field(
        0.2,
        description='Which part of the rows of each split they make up; 0.2 is Agent-R’s.',
    )


class DatasetRowLineageOrigin(BaseModel):
    """
    Origin of the row, or of its chosen side.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    source: str = Field(..., description='The run, or the imported trajectories.')
    episode: str = Field(
        ..., description='The episode of the run, or the line of the import.'
    )
    attempt: int
    method: str
    model: str
    reward: float | None
    node_ids: list[int] = Field(
        ..., description='Positions in the tree, in the order of the row’s turns.'
    )
    scores: dict[str, float] | None = Field(
        None,
        description='Values of the scores that the request asks for, by name; absent: it asks for none.',
    )


class DatasetRowLineageOtherValue(BaseModel):
    """
    Origin of its rejected side, or of the bad beginning that it revises.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    source: str = Field(..., description='The run, or the imported trajectories.')
    episode: str = Field(
        ..., description='The episode of the run, or the line of the import.'
    )
    attempt: int
    method: str
    model: str
    reward: float | None
    node_ids: list[int] = Field(
        ..., description='Positions in the tree, in the order of the row’s turns.'
    )
    scores: dict[str, float] | None = Field(
        None,
        description='Values of the scores that the request asks for, by name; absent: it asks for none.',
    )


class DatasetRowLineage(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    row: int
    kind: Literal['sft', 'preference', 'step-preference', 'revision', 'exploration', 'unpaired', 'process-reward', 'prompts']
    environment: str
    data: str | None = Field(
        ...,
        description='The digest of the data pack that the task is from; null or `builtin`: it comes along.',
    )
    task: str
    task_split: str | None = Field(
        ..., description='The environment’s split of the task, if it is known.'
    )
    tokens: int
    sha256: str = Field(
        ...,
        description='Of the canonical row: equal rows have equal digests, in every format.',
    )
    origin: DatasetRowLineageOrigin = Field(
        ...,
        description='Origin of the row, or of its chosen side.',
        title='DatasetRowLineageOrigin',
    )
    pictures: list[str] | None = Field(
        None,
        description='The pictures that the row shows, in their order: SHA-256 of each, as the nodes name them.',
    )
    other: DatasetRowLineageOtherValue | None = Field(
        ...,
        description='Origin of its rejected side, or of the bad beginning that it revises.',
    )
    schema_version: Literal['espalier-lineage-v2']


class DatasetRowPartTurnsItemPicturesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    sha256: str
    media_type: str
    url: str | None = Field(
        ...,
        description='Downloads the picture without a key for a while; null: it is not stored.',
    )


class DatasetRowPartTurnsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    role: Literal['system', 'user', 'assistant', 'text'] = Field(
        ..., description='`text`: a prompt as one text, for trainers that take no chat.'
    )
    content: str
    cut: int | None = Field(
        None,
        description='Characters of `content` that are not shown here; `data` of the row has them all.',
    )
    learned: bool | None = Field(
        ...,
        description='True if its tokens count in the loss, with the settings in the dataset’s README. Null if a trainer learns something else from it, such as process rewards.',
    )
    pictures: list[DatasetRowPartTurnsItemPicturesItem] | None = Field(
        None, description='The pictures that follow the text.'
    )
    label: bool | None = Field(None, description='Of a step: whether it is a good one.')
    value: float | None = Field(
        None, description='Of a step: its node’s value in the tree.'
    )


class DatasetRowPart(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: Literal['messages', 'prompt', 'chosen', 'rejected', 'completion', 'steps']
    label: bool | None = Field(
        None, description='Of a completion that stands alone: whether it is desirable.'
    )
    turns: list[DatasetRowPartTurnsItem]


class Deleted(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['run', 'dataset', 'trajectory_import']
    deleted: Literal[True]


class DeletedJudgement(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['judgement']
    deleted: Literal[True]


class DeletedRegisteredModel(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['registered_model']
    deleted: Literal[True]


class Endpoint(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['endpoint']
    kind: Literal['openai', 'azure', 'simulated', 'served']
    models: list[str] = Field(
        ..., description='Models with prices; an endpoint may serve others.'
    )
    priced: bool
    ready: bool
    note: str | None = Field(
        ...,
        description='The missing part if it is not ready, or not known yet: listing endpoints reads no secret.',
    )
    origin: Literal['configured', 'api', 'served'] | None = Field(
        None,
        description='Absent in answers of earlier versions, whose endpoints are all configured.',
    )


class EndpointAdditionEndpoint1Pictures(BaseModel):
    """
    The form of pictures in prompts.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    send: Literal['data', 'address'] | None = Field(
        'data',
        description='`data`: within the request, as base64. `address`: as a signed address for the endpoint to download, which a service on AWS has.',
    )
    detail: Literal['low', 'high', 'auto'] | None = Field(
        None, description='Sent with each picture; by default the endpoint decides.'
    )


class EndpointAdditionEndpoint1PricesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    input: float
    cached_input: float | None = None
    output: float
    request: float | None = None


class EndpointAdditionEndpoint1(BaseModel):
    """
    As an entry of `endpoints.json`.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    api_key_env: str | None = Field(
        None, description='The environment variable that holds the key.'
    )
    api_key_file: str | None = Field(
        None,
        description='A file that holds the key; mode 600; relative to the folder of endpoints.json.',
    )
    api_key_secret: str | None = Field(
        None,
        description='A secret in AWS Secrets Manager; `name#field` names one field of a secret that is JSON.',
    )
    api_key_parameter: str | None = Field(
        None, description='A parameter of AWS Systems Manager.'
    )
    requests_per_minute: float | None = Field(
        None,
        description="The provider's quota, shared by all workers of the service. Retries count too.",
    )
    tokens_per_minute: float | None = Field(
        None,
        description="The provider's quota of input and output tokens, shared by all workers.",
    )
    headers: dict[constr(min_length=1), str] | None = Field(
        None, description='Sent with every call; never keys.'
    )
    seed: bool | None = Field(True, description='True to send the seed of a sample.')
    sampling: bool | Literal['temperature', 'top_p'] | None = Field(
        None,
        description="True to send temperature and top_p, or the name of one for models that refuse both together. Default: true, but false for OpenAI's o-series and gpt-5 family, which take only their own.",
    )
    stop: bool | None = Field(
        None,
        description='True to send stop texts. Answers end before them in any case. Default: as `sampling`.',
    )
    system: Literal['system', 'developer', 'user'] | None = Field(
        None,
        description='The role of a system text. `user`: it is put before the first turn of the user, for models without a system role. Default: `system`.',
    )
    alternate: bool | None = Field(
        None,
        description='True to merge consecutive turns of one role, for models that require alternating roles. Default: no.',
    )
    max_choices: int | None = Field(
        None,
        description='The most choices per call; by default as many as the caller wants.',
    )
    max_tokens_field: Literal['max_tokens', 'max_completion_tokens'] | None = Field(
        None,
        description="By default `max_completion_tokens` for OpenAI, Azure, and OpenAI's o-series and gpt-5 family anywhere; `max_tokens` for others.",
    )
    pictures: EndpointAdditionEndpoint1Pictures | None = Field(
        None,
        description='The form of pictures in prompts.',
        title='EndpointAdditionEndpoint1Pictures',
    )
    timeout: float | None = Field(
        600, description='Seconds for one call, to the end of its answer.'
    )
    idle_timeout: float | None = Field(
        60, description='Seconds that an answer which has begun may stand still.'
    )
    max_answer_bytes: int | None = Field(
        8000000,
        description='Maximum size of an answer, decompressed; a longer one is an error.',
    )
    max_retries: int | None = 6
    max_concurrency: int | None = Field(1024, description='Calls in flight at most.')
    prices: dict[constr(min_length=1), EndpointAdditionEndpoint1PricesItem] | None = (
        Field(
            None,
            description='US dollars per million tokens; `cached_input`: for cached input tokens; `request`: dollars per call.',
        )
    )
    call_log_url: AnyUrl | None = Field(
        None,
        description='`GET {call_log_url}/{client request id}` returns the usage of a call; 404 if it never arrived.',
    )
    kind: Literal['openai']
    base_url: AnyUrl | None = None
    base_urls: list[AnyUrl] | None = Field(
        None, description='Servers of one model, used as one pool.'
    )
    organization: str | None = None
    model: str | None = Field(
        None,
        description='The model to ask, whatever name a run uses. Default: the name in the run.',
    )


class EndpointAdditionEndpoint2Pictures(BaseModel):
    """
    The form of pictures in prompts.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    send: Literal['data', 'address'] | None = Field(
        'data',
        description='`data`: within the request, as base64. `address`: as a signed address for the endpoint to download, which a service on AWS has.',
    )
    detail: Literal['low', 'high', 'auto'] | None = Field(
        None, description='Sent with each picture; by default the endpoint decides.'
    )


class EndpointAdditionEndpoint2PricesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    input: float
    cached_input: float | None = None
    output: float
    request: float | None = None


class EndpointAdditionEndpoint2(BaseModel):
    """
    As an entry of `endpoints.json`.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    api_key_env: str | None = Field(
        None, description='The environment variable that holds the key.'
    )
    api_key_file: str | None = Field(
        None,
        description='A file that holds the key; mode 600; relative to the folder of endpoints.json.',
    )
    api_key_secret: str | None = Field(
        None,
        description='A secret in AWS Secrets Manager; `name#field` names one field of a secret that is JSON.',
    )
    api_key_parameter: str | None = Field(
        None, description='A parameter of AWS Systems Manager.'
    )
    requests_per_minute: float | None = Field(
        None,
        description="The provider's quota, shared by all workers of the service. Retries count too.",
    )
    tokens_per_minute: float | None = Field(
        None,
        description="The provider's quota of input and output tokens, shared by all workers.",
    )
    headers: dict[constr(min_length=1), str] | None = Field(
        None, description='Sent with every call; never keys.'
    )
    seed: bool | None = Field(True, description='True to send the seed of a sample.')
    sampling: bool | Literal['temperature', 'top_p'] | None = Field(
        None,
        description="True to send temperature and top_p, or the name of one for models that refuse both together. Default: true, but false for OpenAI's o-series and gpt-5 family, which take only their own.",
    )
    stop: bool | None = Field(
        None,
        description='True to send stop texts. Answers end before them in any case. Default: as `sampling`.',
    )
    system: Literal['system', 'developer', 'user'] | None = Field(
        None,
        description='The role of a system text. `user`: it is put before the first turn of the user, for models without a system role. Default: `system`.',
    )
    alternate: bool | None = Field(
        None,
        description='True to merge consecutive turns of one role, for models that require alternating roles. Default: no.',
    )
    max_choices: int | None = Field(
        None,
        description='The most choices per call; by default as many as the caller wants.',
    )
    max_tokens_field: Literal['max_tokens', 'max_completion_tokens'] | None = Field(
        None,
        description="By default `max_completion_tokens` for OpenAI, Azure, and OpenAI's o-series and gpt-5 family anywhere; `max_tokens` for others.",
    )
    pictures: EndpointAdditionEndpoint2Pictures | None = Field(
        None,
        description='The form of pictures in prompts.',
        title='EndpointAdditionEndpoint2Pictures',
    )
    timeout: float | None = Field(
        600, description='Seconds for one call, to the end of its answer.'
    )
    idle_timeout: float | None = Field(
        60, description='Seconds that an answer which has begun may stand still.'
    )
    max_answer_bytes: int | None = Field(
        8000000,
        description='Maximum size of an answer, decompressed; a longer one is an error.',
    )
    max_retries: int | None = 6
    max_concurrency: int | None = Field(1024, description='Calls in flight at most.')
    prices: dict[constr(min_length=1), EndpointAdditionEndpoint2PricesItem] | None = (
        Field(
            None,
            description='US dollars per million tokens; `cached_input`: for cached input tokens; `request`: dollars per call.',
        )
    )
    call_log_url: AnyUrl | None = Field(
        None,
        description='`GET {call_log_url}/{client request id}` returns the usage of a call; 404 if it never arrived.',
    )
    kind: Literal['azure']
    base_url: AnyUrl
    api_version: str
    deployment: str | None = Field(
        None, description='By default, the model that a run names.'
    )
    token_provider: Literal['azure-identity'] | None = None


class EndpointAdditionEndpoint3PricesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    input: float
    cached_input: float | None = None
    output: float
    request: float | None = None


class EndpointAdditionEndpoint3(BaseModel):
    """
    As an entry of `endpoints.json`.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    kind: Literal['simulated']
    skill: float | None = Field(
        0.7, description='Share of answers that are the right next action.'
    )
    latency: float | None = Field(0, description='Milliseconds before an answer.')
    latency_spread: float | None = Field(0, description='Up to so much more or less.')
    seed: int | None = 0
    prices: dict[constr(min_length=1), EndpointAdditionEndpoint3PricesItem] | None = (
        None
    )


class EndpointAddition(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str = Field(..., description='Under which name runs ask it.')
    endpoint: (
        EndpointAdditionEndpoint1
        | EndpointAdditionEndpoint2
        | EndpointAdditionEndpoint3
    ) = Field(..., description='As an entry of `endpoints.json`.')


class EndpointChangeEndpoint1Pictures(BaseModel):
    """
    The form of pictures in prompts.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    send: Literal['data', 'address'] | None = Field(
        'data',
        description='`data`: within the request, as base64. `address`: as a signed address for the endpoint to download, which a service on AWS has.',
    )
    detail: Literal['low', 'high', 'auto'] | None = Field(
        None, description='Sent with each picture; by default the endpoint decides.'
    )


class EndpointChangeEndpoint1PricesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    input: float
    cached_input: float | None = None
    output: float
    request: float | None = None


class EndpointChangeEndpoint1(BaseModel):
    """
    As an entry of `endpoints.json`.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    api_key_env: str | None = Field(
        None, description='The environment variable that holds the key.'
    )
    api_key_file: str | None = Field(
        None,
        description='A file that holds the key; mode 600; relative to the folder of endpoints.json.',
    )
    api_key_secret: str | None = Field(
        None,
        description='A secret in AWS Secrets Manager; `name#field` names one field of a secret that is JSON.',
    )
    api_key_parameter: str | None = Field(
        None, description='A parameter of AWS Systems Manager.'
    )
    requests_per_minute: float | None = Field(
        None,
        description="The provider's quota, shared by all workers of the service. Retries count too.",
    )
    tokens_per_minute: float | None = Field(
        None,
        description="The provider's quota of input and output tokens, shared by all workers.",
    )
    headers: dict[constr(min_length=1), str] | None = Field(
        None, description='Sent with every call; never keys.'
    )
    seed: bool | None = Field(True, description='True to send the seed of a sample.')
    sampling: bool | Literal['temperature', 'top_p'] | None = Field(
        None,
        description="True to send temperature and top_p, or the name of one for models that refuse both together. Default: true, but false for OpenAI's o-series and gpt-5 family, which take only their own.",
    )
    stop: bool | None = Field(
        None,
        description='True to send stop texts. Answers end before them in any case. Default: as `sampling`.',
    )
    system: Literal['system', 'developer', 'user'] | None = Field(
        None,
        description='The role of a system text. `user`: it is put before the first turn of the user, for models without a system role. Default: `system`.',
    )
    alternate: bool | None = Field(
        None,
        description='True to merge consecutive turns of one role, for models that require alternating roles. Default: no.',
    )
    max_choices: int | None = Field(
        None,
        description='The most choices per call; by default as many as the caller wants.',
    )
    max_tokens_field: Literal['max_tokens', 'max_completion_tokens'] | None = Field(
        None,
        description="By default `max_completion_tokens` for OpenAI, Azure, and OpenAI's o-series and gpt-5 family anywhere; `max_tokens` for others.",
    )
    pictures: EndpointChangeEndpoint1Pictures | None = Field(
        None,
        description='The form of pictures in prompts.',
        title='EndpointChangeEndpoint1Pictures',
    )
    timeout: float | None = Field(
        600, description='Seconds for one call, to the end of its answer.'
    )
    idle_timeout: float | None = Field(
        60, description='Seconds that an answer which has begun may stand still.'
    )
    max_answer_bytes: int | None = Field(
        8000000,
        description='Maximum size of an answer, decompressed; a longer one is an error.',
    )
    max_retries: int | None = 6
    max_concurrency: int | None = Field(1024, description='Calls in flight at most.')
    prices: dict[constr(min_length=1), EndpointChangeEndpoint1PricesItem] | None = (
        Field(
            None,
            description='US dollars per million tokens; `cached_input`: for cached input tokens; `request`: dollars per call.',
        )
    )
    call_log_url: AnyUrl | None = Field(
        None,
        description='`GET {call_log_url}/{client request id}` returns the usage of a call; 404 if it never arrived.',
    )
    kind: Literal['openai']
    base_url: AnyUrl | None = None
    base_urls: list[AnyUrl] | None = Field(
        None, description='Servers of one model, used as one pool.'
    )
    organization: str | None = None
    model: str | None = Field(
        None,
        description='The model to ask, whatever name a run uses. Default: the name in the run.',
    )


class EndpointChangeEndpoint2Pictures(BaseModel):
    """
    The form of pictures in prompts.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    send: Literal['data', 'address'] | None = Field(
        'data',
        description='`data`: within the request, as base64. `address`: as a signed address for the endpoint to download, which a service on AWS has.',
    )
    detail: Literal['low', 'high', 'auto'] | None = Field(
        None, description='Sent with each picture; by default the endpoint decides.'
    )


class EndpointChangeEndpoint2PricesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    input: float
    cached_input: float | None = None
    output: float
    request: float | None = None


class EndpointChangeEndpoint2(BaseModel):
    """
    As an entry of `endpoints.json`.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    api_key_env: str | None = Field(
        None, description='The environment variable that holds the key.'
    )
    api_key_file: str | None = Field(
        None,
        description='A file that holds the key; mode 600; relative to the folder of endpoints.json.',
    )
    api_key_secret: str | None = Field(
        None,
        description='A secret in AWS Secrets Manager; `name#field` names one field of a secret that is JSON.',
    )
    api_key_parameter: str | None = Field(
        None, description='A parameter of AWS Systems Manager.'
    )
    requests_per_minute: float | None = Field(
        None,
        description="The provider's quota, shared by all workers of the service. Retries count too.",
    )
    tokens_per_minute: float | None = Field(
        None,
        description="The provider's quota of input and output tokens, shared by all workers.",
    )
    headers: dict[constr(min_length=1), str] | None = Field(
        None, description='Sent with every call; never keys.'
    )
    seed: bool | None = Field(True, description='True to send the seed of a sample.')
    sampling: bool | Literal['temperature', 'top_p'] | None = Field(
        None,
        description="True to send temperature and top_p, or the name of one for models that refuse both together. Default: true, but false for OpenAI's o-series and gpt-5 family, which take only their own.",
    )
    stop: bool | None = Field(
        None,
        description='True to send stop texts. Answers end before them in any case. Default: as `sampling`.',
    )
    system: Literal['system', 'developer', 'user'] | None = Field(
        None,
        description='The role of a system text. `user`: it is put before the first turn of the user, for models without a system role. Default: `system`.',
    )
    alternate: bool | None = Field(
        None,
        description='True to merge consecutive turns of one role, for models that require alternating roles. Default: no.',
    )
    max_choices: int | None = Field(
        None,
        description='The most choices per call; by default as many as the caller wants.',
    )
    max_tokens_field: Literal['max_tokens', 'max_completion_tokens'] | None = Field(
        None,
        description="By default `max_completion_tokens` for OpenAI, Azure, and OpenAI's o-series and gpt-5 family anywhere; `max_tokens` for others.",
    )
    pictures: EndpointChangeEndpoint2Pictures | None = Field(
        None,
        description='The form of pictures in prompts.',
        title='EndpointChangeEndpoint2Pictures',
    )
    timeout: float | None = Field(
        600, description='Seconds for one call, to the end of its answer.'
    )
    idle_timeout: float | None = Field(
        60, description='Seconds that an answer which has begun may stand still.'
    )
    max_answer_bytes: int | None = Field(
        8000000,
        description='Maximum size of an answer, decompressed; a longer one is an error.',
    )
    max_retries: int | None = 6
    max_concurrency: int | None = Field(1024, description='Calls in flight at most.')
    prices: dict[constr(min_length=1), EndpointChangeEndpoint2PricesItem] | None = (
        Field(
            None,
            description='US dollars per million tokens; `cached_input`: for cached input tokens; `request`: dollars per call.',
        )
    )
    call_log_url: AnyUrl | None = Field(
        None,
        description='`GET {call_log_url}/{client request id}` returns the usage of a call; 404 if it never arrived.',
    )
    kind: Literal['azure']
    base_url: AnyUrl
    api_version: str
    deployment: str | None = Field(
        None, description='By default, the model that a run names.'
    )
    token_provider: Literal['azure-identity'] | None = None


class EndpointChangeEndpoint3PricesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    input: float
    cached_input: float | None = None
    output: float
    request: float | None = None


class EndpointChangeEndpoint3(BaseModel):
    """
    As an entry of `endpoints.json`.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    kind: Literal['simulated']
    skill: float | None = Field(
        0.7, description='Share of answers that are the right next action.'
    )
    latency: float | None = Field(0, description='Milliseconds before an answer.')
    latency_spread: float | None = Field(0, description='Up to so much more or less.')
    seed: int | None = 0
    prices: dict[constr(min_length=1), EndpointChangeEndpoint3PricesItem] | None = None


class EndpointChange(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    endpoint: (
        EndpointChangeEndpoint1 | EndpointChangeEndpoint2 | EndpointChangeEndpoint3
    ) = Field(..., description='As an entry of `endpoints.json`.')


class EndpointDetailConfiguration1Pictures(BaseModel):
    """
    The form of pictures in prompts.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    send: Literal['data', 'address'] = Field(
        ...,
        description='`data`: within the request, as base64. `address`: as a signed address for the endpoint to download, which a service on AWS has.',
    )
    detail: Literal['low', 'high', 'auto'] | None = Field(
        None, description='Sent with each picture; by default the endpoint decides.'
    )


class EndpointDetailConfiguration1PricesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    input: float
    cached_input: float | None = None
    output: float
    request: float | None = None


class EndpointDetailConfiguration1(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    api_key_env: str | None = Field(
        None, description='The environment variable that holds the key.'
    )
    api_key_file: str | None = Field(
        None,
        description='A file that holds the key; mode 600; relative to the folder of endpoints.json.',
    )
    api_key_secret: str | None = Field(
        None,
        description='A secret in AWS Secrets Manager; `name#field` names one field of a secret that is JSON.',
    )
    api_key_parameter: str | None = Field(
        None, description='A parameter of AWS Systems Manager.'
    )
    requests_per_minute: float | None = Field(
        None,
        description="The provider's quota, shared by all workers of the service. Retries count too.",
    )
    tokens_per_minute: float | None = Field(
        None,
        description="The provider's quota of input and output tokens, shared by all workers.",
    )
    headers: dict[constr(min_length=1), str] | None = Field(
        None, description='Sent with every call; never keys.'
    )
    seed: bool = Field(..., description='True to send the seed of a sample.')
    sampling: bool | Literal['temperature', 'top_p'] | None = Field(
        None,
        description="True to send temperature and top_p, or the name of one for models that refuse both together. Default: true, but false for OpenAI's o-series and gpt-5 family, which take only their own.",
    )
    stop: bool | None = Field(
        None,
        description='True to send stop texts. Answers end before them in any case. Default: as `sampling`.',
    )
    system: Literal['system', 'developer', 'user'] | None = Field(
        None,
        description='The role of a system text. `user`: it is put before the first turn of the user, for models without a system role. Default: `system`.',
    )
    alternate: bool | None = Field(
        None,
        description='True to merge consecutive turns of one role, for models that require alternating roles. Default: no.',
    )
    max_choices: int | None = Field(
        None,
        description='The most choices per call; by default as many as the caller wants.',
    )
    max_tokens_field: Literal['max_tokens', 'max_completion_tokens'] | None = Field(
        None,
        description="By default `max_completion_tokens` for OpenAI, Azure, and OpenAI's o-series and gpt-5 family anywhere; `max_tokens` for others.",
    )
    pictures: EndpointDetailConfiguration1Pictures | None = Field(
        None,
        description='The form of pictures in prompts.',
        title='EndpointDetailConfiguration1Pictures',
    )
    timeout: float = Field(
        ..., description='Seconds for one call, to the end of its answer.'
    )
    idle_timeout: float = Field(
        ..., description='Seconds that an answer which has begun may stand still.'
    )
    max_answer_bytes: int = Field(
        ...,
        description='Maximum size of an answer, decompressed; a longer one is an error.',
    )
    max_retries: int
    max_concurrency: int = Field(..., description='Calls in flight at most.')
    prices: (
        dict[constr(min_length=1), EndpointDetailConfiguration1PricesItem] | None
    ) = Field(None, description='US dollars per million tokens; `cached_input`: for cached input tokens; `request`: dollars per call.')
    call_log_url: AnyUrl | None = Field(
        None,
        description='`GET {call_log_url}/{client request id}` returns the usage of a call; 404 if it never arrived.',
    )
    kind: Literal['openai']
    base_url: AnyUrl | None = None
    base_urls: list[AnyUrl] | None = Field(
        None, description='Servers of one model, used as one pool.'
    )
    organization: str | None = None
    model: str | None = Field(
        None,
        description='The model to ask, whatever name a run uses. Default: the name in the run.',
    )


class EndpointDetailConfiguration2Pictures(BaseModel):
    """
    The form of pictures in prompts.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    send: Literal['data', 'address'] = Field(
        ...,
        description='`data`: within the request, as base64. `address`: as a signed address for the endpoint to download, which a service on AWS has.',
    )
    detail: Literal['low', 'high', 'auto'] | None = Field(
        None, description='Sent with each picture; by default the endpoint decides.'
    )


class EndpointDetailConfiguration2PricesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    input: float
    cached_input: float | None = None
    output: float
    request: float | None = None


class EndpointDetailConfiguration2(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    api_key_env: str | None = Field(
        None, description='The environment variable that holds the key.'
    )
    api_key_file: str | None = Field(
        None,
        description='A file that holds the key; mode 600; relative to the folder of endpoints.json.',
    )
    api_key_secret: str | None = Field(
        None,
        description='A secret in AWS Secrets Manager; `name#field` names one field of a secret that is JSON.',
    )
    api_key_parameter: str | None = Field(
        None, description='A parameter of AWS Systems Manager.'
    )
    requests_per_minute: float | None = Field(
        None,
        description="The provider's quota, shared by all workers of the service. Retries count too.",
    )
    tokens_per_minute: float | None = Field(
        None,
        description="The provider's quota of input and output tokens, shared by all workers.",
    )
    headers: dict[constr(min_length=1), str] | None = Field(
        None, description='Sent with every call; never keys.'
    )
    seed: bool = Field(..., description='True to send the seed of a sample.')
    sampling: bool | Literal['temperature', 'top_p'] | None = Field(
        None,
        description="True to send temperature and top_p, or the name of one for models that refuse both together. Default: true, but false for OpenAI's o-series and gpt-5 family, which take only their own.",
    )
    stop: bool | None = Field(
        None,
        description='True to send stop texts. Answers end before them in any case. Default: as `sampling`.',
    )
    system: Literal['system', 'developer', 'user'] | None = Field(
        None,
        description='The role of a system text. `user`: it is put before the first turn of the user, for models without a system role. Default: `system`.',
    )
    alternate: bool | None = Field(
        None,
        description='True to merge consecutive turns of one role, for models that require alternating roles. Default: no.',
    )
    max_choices: int | None = Field(
        None,
        description='The most choices per call; by default as many as the caller wants.',
    )
    max_tokens_field: Literal['max_tokens', 'max_completion_tokens'] | None = Field(
        None,
        description="By default `max_completion_tokens` for OpenAI, Azure, and OpenAI's o-series and gpt-5 family anywhere; `max_tokens` for others.",
    )
    pictures: EndpointDetailConfiguration2Pictures | None = Field(
        None,
        description='The form of pictures in prompts.',
        title='EndpointDetailConfiguration2Pictures',
    )
    timeout: float = Field(
        ..., description='Seconds for one call, to the end of its answer.'
    )
    idle_timeout: float = Field(
        ..., description='Seconds that an answer which has begun may stand still.'
    )
    max_answer_bytes: int = Field(
        ...,
        description='Maximum size of an answer, decompressed; a longer one is an error.',
    )
    max_retries: int
    max_concurrency: int = Field(..., description='Calls in flight at most.')
    prices: (
        dict[constr(min_length=1), EndpointDetailConfiguration2PricesItem] | None
    ) = Field(None, description='US dollars per million tokens; `cached_input`: for cached input tokens; `request`: dollars per call.')
    call_log_url: AnyUrl | None = Field(
        None,
        description='`GET {call_log_url}/{client request id}` returns the usage of a call; 404 if it never arrived.',
    )
    kind: Literal['azure']
    base_url: AnyUrl
    api_version: str
    deployment: str | None = Field(
        None, description='By default, the model that a run names.'
    )
    token_provider: Literal['azure-identity'] | None = None


class EndpointDetailConfiguration3PricesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    input: float
    cached_input: float | None = None
    output: float
    request: float | None = None


class EndpointDetailConfiguration3(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    kind: Literal['simulated']
    skill: float = Field(
        ..., description='Share of answers that are the right next action.'
    )
    latency: float = Field(..., description='Milliseconds before an answer.')
    latency_spread: float = Field(..., description='Up to so much more or less.')
    seed: int
    prices: dict[constr(min_length=1), EndpointDetailConfiguration3PricesItem] | None = (
        None
    )


class EndpointDetailConfiguration4Pictures(BaseModel):
    """
    The form of pictures in prompts.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    send: Literal['data', 'address'] = Field(
        ...,
        description='`data`: within the request, as base64. `address`: as a signed address for the endpoint to download, which a service on AWS has.',
    )
    detail: Literal['low', 'high', 'auto'] | None = Field(
        None, description='Sent with each picture; by default the endpoint decides.'
    )


class EndpointDetailConfiguration4PricesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    input: float
    cached_input: float | None = None
    output: float
    request: float | None = None


class EndpointDetailConfiguration4(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    api_key_env: str | None = Field(
        None, description='The environment variable that holds the key.'
    )
    api_key_file: str | None = Field(
        None,
        description='A file that holds the key; mode 600; relative to the folder of endpoints.json.',
    )
    api_key_secret: str | None = Field(
        None,
        description='A secret in AWS Secrets Manager; `name#field` names one field of a secret that is JSON.',
    )
    api_key_parameter: str | None = Field(
        None, description='A parameter of AWS Systems Manager.'
    )
    requests_per_minute: float | None = Field(
        None,
        description="The provider's quota, shared by all workers of the service. Retries count too.",
    )
    tokens_per_minute: float | None = Field(
        None,
        description="The provider's quota of input and output tokens, shared by all workers.",
    )
    headers: dict[constr(min_length=1), str] | None = Field(
        None, description='Sent with every call; never keys.'
    )
    seed: bool = Field(..., description='True to send the seed of a sample.')
    sampling: bool | Literal['temperature', 'top_p'] | None = Field(
        None,
        description="True to send temperature and top_p, or the name of one for models that refuse both together. Default: true, but false for OpenAI's o-series and gpt-5 family, which take only their own.",
    )
    stop: bool | None = Field(
        None,
        description='True to send stop texts. Answers end before them in any case. Default: as `sampling`.',
    )
    system: Literal['system', 'developer', 'user'] | None = Field(
        None,
        description='The role of a system text. `user`: it is put before the first turn of the user, for models without a system role. Default: `system`.',
    )
    alternate: bool | None = Field(
        None,
        description='True to merge consecutive turns of one role, for models that require alternating roles. Default: no.',
    )
    max_choices: int | None = Field(
        None,
        description='The most choices per call; by default as many as the caller wants.',
    )
    max_tokens_field: Literal['max_tokens', 'max_completion_tokens'] | None = Field(
        None,
        description="By default `max_completion_tokens` for OpenAI, Azure, and OpenAI's o-series and gpt-5 family anywhere; `max_tokens` for others.",
    )
    pictures: EndpointDetailConfiguration4Pictures | None = Field(
        None,
        description='The form of pictures in prompts.',
        title='EndpointDetailConfiguration4Pictures',
    )
    timeout: float = Field(
        ..., description='Seconds for one call, to the end of its answer.'
    )
    idle_timeout: float = Field(
        ..., description='Seconds that an answer which has begun may stand still.'
    )
    max_answer_bytes: int = Field(
        ...,
        description='Maximum size of an answer, decompressed; a longer one is an error.',
    )
    max_retries: int
    max_concurrency: int = Field(..., description='Calls in flight at most.')
    prices: (
        dict[constr(min_length=1), EndpointDetailConfiguration4PricesItem] | None
    ) = Field(None, description='US dollars per million tokens; `cached_input`: for cached input tokens; `request`: dollars per call.')
    call_log_url: AnyUrl | None = Field(
        None,
        description='`GET {call_log_url}/{client request id}` returns the usage of a call; 404 if it never arrived.',
    )
    kind: Literal['served']
    model: str = Field(..., description='The registered model.')
    context: int | None = Field(
        ..., description='Tokens of prompt and answer of one call; null: not known.'
    )


class EndpointDetail(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['endpoint']
    kind: Literal['openai', 'azure', 'simulated', 'served']
    models: list[str] = Field(
        ..., description='Models with prices; an endpoint may serve others.'
    )
    priced: bool
    ready: bool
    note: str | None = Field(
        ...,
        description='The missing part if it is not ready, or not known yet: listing endpoints reads no secret.',
    )
    origin: Literal['configured', 'api', 'served'] | None = Field(
        None,
        description='Absent in answers of earlier versions, whose endpoints are all configured.',
    )
    configuration: EndpointDetailConfiguration1 | EndpointDetailConfiguration2 | EndpointDetailConfiguration3 | EndpointDetailConfiguration4
    created_at: AwareDatetime | None = Field(
        ..., description='Null for those of the program and of endpoints.json.'
    )
    updated_at: AwareDatetime | None


class EndpointDetailList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[EndpointDetail]
    has_more: bool
    first_id: str | None
    last_id: str | None


class EndpointFeature(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: Literal['choices', 'pictures', 'window'] = Field(
        ...,
        description='`choices`: several answers for one request (`n`). `pictures`: `image_url` parts. `window`: a prompt of some 6,000 tokens is read in full.',
    )
    works: bool | None = Field(
        ...,
        description='Null: it was taken, and the answer does not show that it was understood; or it was not tried.',
    )
    note: str = Field(..., description='The observed behaviour.')


class EndpointList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Endpoint]
    has_more: bool
    first_id: str | None
    last_id: str | None


class EndpointTestUsageValue(BaseModel):
    """
    Usage of all questions of the test; no run includes it.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    input_tokens: float
    output_tokens: float
    reasoning_tokens: float | None = Field(None, description='Of the output tokens.')
    cost: float | None


class EndpointTestRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    model: str | None = Field(
        None,
        description='The model to ask. Default: the model that it serves, or the first with a price.',
    )
    features: bool | None = Field(
        None,
        description='Also ask for two choices at once, show a picture, and send a prompt of some 6,000 tokens: three questions more. Default: no.',
    )


class EndpointWarning(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    code: Literal['short_prompt_count'] = Field(
        ...,
        description='`short_prompt_count`: the endpoint counts far fewer prompt tokens than were sent.',
    )
    endpoint: str
    model: str
    message: str


class EpisodeCallEndingsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    finish_reason: str | None = Field(
        ...,
        description='Finish reason of the answer, in the words of the endpoint; null if the journal does not say.',
    )
    fault: Literal['filtered', 'refused', 'cut', 'empty', 'unparsable'] | None


class EpisodeCounts(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    total: int
    waiting: int = Field(..., description='Not started yet.')
    active: int = Field(..., description='Queued for a worker or being played.')
    succeeded: int
    failed: int
    limited: int
    errored: int
    cancelled: int


class EpisodeLimits(BaseModel):
    """
    Caps of each episode that plays a task. Learning episodes are bounded by the caps of the run alone.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    steps: int | None = Field(
        None, description='Environment steps, over the whole tree.'
    )
    turns: int | None = Field(None, description='Model calls.')
    tokens: int | None = Field(None, description='Input and output tokens together.')
    cost: float | None = Field(None, description='US dollars.')
    time: float | None = Field(
        None, description='Seconds of working time; downtime and queueing left out.'
    )


class EpisodeResultErrorValue(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str
    message: str
    effect: str | None = Field(..., description='The failed effect, if there is one.')
    code: str | None = Field(
        None,
        description='The error code of the API, such as `replay_diverged`, if it is one of the API’s errors.',
    )


class ErrorError(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    type: Literal['invalid_request_error', 'authentication_error', 'permission_error', 'not_found_error', 'conflict_error', 'server_error']
    code: str
    message: str = Field(..., description='The problem and its remedy.')
    param: str | None = Field(
        ..., description='The field at fault, as a dotted path, if there is one.'
    )


class Error(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    error: ErrorError = Field(..., title='ErrorError')


class EstimateCiValue(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    lower: float
    upper: float
    level: float
    method: str


class Estimate(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    mean: float | None
    stderr: float | None
    ci: EstimateCiValue | None
    count: int = Field(
        ..., description='Episodes that count; of pass@k and of differences, tasks.'
    )
    tasks: int = Field(
        ...,
        description='Tasks they belong to; the interval treats episodes of one task as one cluster.',
    )


class EstimatedLimit(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    param: str = Field(
        ..., description='The field of the request, such as `limits.cost`.'
    )
    value: float
    binds: Literal['expected', 'possible', 'no', 'unknown'] = Field(
        ...,
        description='`expected`: the figures were cut down to it. `possible`: only the most was. `unknown`: time is not estimated.',
    )


class Experiment(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str = Field(..., description='Its name.')
    object: Literal['experiment']
    runs: int = Field(
        ...,
        description='Number of runs in it, archived ones too; likewise the other counts.',
    )
    datasets: int
    imports: int


class ExperimentList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Experiment]
    has_more: bool
    first_id: str | None
    last_id: str | None


class Figure(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    expected: float
    at_most: float


class ForeseenRowLineageOrigin(BaseModel):
    """
    Origin of the row, or of its chosen side.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    source: str = Field(..., description='The run, or the imported trajectories.')
    episode: str = Field(
        ..., description='The episode of the run, or the line of the import.'
    )
    attempt: int
    method: str
    model: str
    reward: float | None
    node_ids: list[int] = Field(
        ..., description='Positions in the tree, in the order of the row’s turns.'
    )
    scores: dict[str, float] | None = Field(
        None,
        description='Values of the scores that the request asks for, by name; absent: it asks for none.',
    )


class ForeseenRowLineageOtherValue(BaseModel):
    """
    Origin of its rejected side, or of the bad beginning that it revises.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    source: str = Field(..., description='The run, or the imported trajectories.')
    episode: str = Field(
        ..., description='The episode of the run, or the line of the import.'
    )
    attempt: int
    method: str
    model: str
    reward: float | None
    node_ids: list[int] = Field(
        ..., description='Positions in the tree, in the order of the row’s turns.'
    )
    scores: dict[str, float] | None = Field(
        None,
        description='Values of the scores that the request asks for, by name; absent: it asks for none.',
    )


class ForeseenRowLineage(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    row: int
    kind: Literal['sft', 'preference', 'step-preference', 'revision', 'exploration', 'unpaired', 'process-reward', 'prompts']
    environment: str
    data: str | None = Field(
        ...,
        description='The digest of the data pack that the task is from; null or `builtin`: it comes along.',
    )
    task: str
    task_split: str | None = Field(
        ..., description='The environment’s split of the task, if it is known.'
    )
    tokens: int
    sha256: str = Field(
        ...,
        description='Of the canonical row: equal rows have equal digests, in every format.',
    )
    origin: ForeseenRowLineageOrigin = Field(
        ...,
        description='Origin of the row, or of its chosen side.',
        title='ForeseenRowLineageOrigin',
    )
    pictures: list[str] | None = Field(
        None,
        description='The pictures that the row shows, in their order: SHA-256 of each, as the nodes name them.',
    )
    other: ForeseenRowLineageOtherValue | None = Field(
        ...,
        description='Origin of its rejected side, or of the bad beginning that it revises.',
    )
    schema_version: Literal['espalier-lineage-v2']


class ForeseenRowDroppedValue(BaseModel):
    """
    Which gate keeps it out; null: it is in.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    gate: str
    reason: str = Field(..., description='In words.')


class ForeseenRow(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str = Field(
        ..., description='Its number among the rows that were found, from 0.'
    )
    object: Literal['dataset_row']
    data: dict[str, Any] | None = Field(
        ...,
        description='The row as a file would hold it; null if the format cannot hold it.',
    )
    parts: list[DatasetRowPart] = Field(
        ..., description='The same row as its trainer takes it, turn by turn.'
    )
    lineage: ForeseenRowLineage = Field(..., title='ForeseenRowLineage')
    dropped: ForeseenRowDroppedValue | None = Field(
        ..., description='Which gate keeps it out; null: it is in.'
    )


class Generator(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    version: int = Field(
        ..., description='The newest: tasks of a version are the same for ever.'
    )
    description: str
    bounds: dict[str, Any] = Field(
        ...,
        description='JSON Schema of the bounds on its tasks, with the defaults; a request has them beside `count`.',
    )


class GrowthEvent1(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    type: Literal['node']
    node: int


class GrowthEvent2(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    type: Literal['value']
    node: int
    value: float


class GrowthEvent3(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    type: Literal['commit']
    node: int


class GrowthEvent(RootModel[GrowthEvent1 | GrowthEvent2 | GrowthEvent3]):
    root: GrowthEvent1 | GrowthEvent2 | GrowthEvent3


class HealthWorkers(BaseModel):
    """
    Worker processes of this service: the target number, and the number that play now. Absent if the service plays episodes itself.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    wanted: int
    playing: int


class Health(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    status: Literal['ok']
    version: str
    world: Literal['local', 'aws']
    workers: HealthWorkers | None = Field(
        None,
        description='Worker processes of this service: the target number, and the number that play now. Absent if the service plays episodes itself.',
        title='HealthWorkers',
    )
    damaged: int | None = Field(
        None,
        description='Damaged objects and items of the ledger that the service has met in its storage since it started. Absent: none.',
    )


class Horizon(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    parameter: str = Field(..., description='The parameter of the method that sets it.')
    least: int = Field(..., description='Of the task with the shortest trajectories.')
    most: int = Field(
        ...,
        description='Of the task with the longest trajectories; equals `least` if all tasks have the same.',
    )
    from_: Literal['request', 'method', 'environment', 'task'] = Field(
        ...,
        alias='from',
        description='The source of the value: the request, a default of the method, the default of the environment, or each task by itself.',
    )


class ImportedTrajectory(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    episode: str = Field(
        ..., description='The number of the row in the import, as an id: `row-0000001`.'
    )
    part: int = Field(..., description='Which of the import’s parts holds its tree.')
    environment: str
    data: str | None
    task: str
    method: str
    model: str
    status: Literal['succeeded', 'failed']
    reward: float
    success: bool
    seed: int
    file: str | None
    line: int
    id: str


class ImportedTrajectoryList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[ImportedTrajectory]
    has_more: bool
    first_id: str | None
    last_id: str | None


class JudgementVotesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    answer: str
    value: float | None


class JudgementDebateValue(BaseModel):
    """
    The opinion for the last action and the one against it, if there was a debate.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    support: str
    oppose: str


class JudgementRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    value: float = Field(..., description='From 0, the worst, to 1, the best.')
    note: str | None = None


class LabelChange(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str | None = Field(None, description='A name for people; null: none.')
    experiment: str | None = None
    tags: list[str] | None = Field(
        None, description='All its tags from now on, in place of those that it has.'
    )
    add_tags: list[str] | None = Field(
        None, description='Tags that it gets beside those that it has.'
    )
    remove_tags: list[str] | None = Field(
        None, description='Tags that it loses; one that it does not have is fine.'
    )
    note: str | None = None
    archived: bool | None = Field(
        None,
        description='`true`: lists leave it out unless they are asked for it. Nothing else changes.',
    )


class LastProblem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    message: str = Field(
        ...,
        description='A description of the problem, with the time of the next try if there is one.',
    )
    at: AwareDatetime


class LeaderboardCellRunsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    run: str
    name: str | None
    seed: int


class LeaderboardEntryAverageValue(BaseModel):
    """
    Over the environments, each with the same weight; null if an environment has no comparable cell of it.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    success_rate: Estimate
    mean_cost: float | None
    on_front: bool


class LeaderboardEntry(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    label: str = Field(
        ...,
        description='Its method, with the settings that distinguish it from the other entries.',
    )
    method: str
    model: str = Field(..., description='`endpoint/id`.')
    settings: dict[str, str | float | bool | None] = Field(
        ...,
        description='Settings that differ from other entries, by fields of the request.',
    )
    average: LeaderboardEntryAverageValue | None = Field(
        ...,
        description='Over the environments, each with the same weight; null if an environment has no comparable cell of it.',
    )


class LeaderboardRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    experiment: str | None = Field(
        None,
        description='The experiment that it belongs to: a name, which is not to be created before.',
    )
    tags: list[str] | None = Field(None, description='Only runs that have all of them.')
    runs: list[str] | None = None


class LeaderboardTest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    environment: str
    entry: str
    against: str
    shared_tasks: int = Field(
        ..., description='Tasks on which both have an episode with a reward.'
    )
    success_rate: Estimate = Field(
        ..., description='The first minus the second, paired by task.'
    )
    better: int = Field(
        ..., description='Tasks with a higher share of successes than the other’s.'
    )
    worse: int
    p_value: float | None = Field(
        ...,
        description='Of the exact two-sided sign test; null if they differ on no task, or share none.',
    )
    adjusted_p: float | None = Field(
        ...,
        description='The same, corrected by Holm for all tests of this leaderboard.',
    )


class Library(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['library']
    run: str
    environment: str
    method: str
    complete: bool = Field(
        ..., description='True if its run has ended; only then can another run use it.'
    )
    created_at: AwareDatetime


class LibraryActionScoresValue(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    score: float = Field(..., description='The criterion that chose the set.')
    success: float = Field(..., description='The mean over training tasks.')
    step_accuracy: float = Field(
        ...,
        description='Calls that ended well over all calls of learned actions; 0 without calls.',
    )
    call_ratio: float = Field(
        ..., description='Calls that ended well over all steps of the agent.'
    )


class LibraryActionLineageItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    round: int = Field(
        ..., description='0: when it was first written; n: after the n-th revision.'
    )
    candidate: int
    change: Literal['created', 'updated', 'noted']
    reason: str | None = Field(
        ...,
        description='The reason for the change, in the words of the model that made it.',
    )


class LibraryAction(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str
    group: str | None = Field(
        ..., description='The group of tasks it was learned for; null: all.'
    )
    parameters: list[str]
    description: str
    code: str = Field(
        ...,
        description='A function declaration; `act(text)` takes one of the environment’s own actions.',
    )
    usage: str = Field(..., description='A worked example that uses the whole set.')
    notes: list[str] = Field(..., description='Advice for calling it.')
    scores: LibraryActionScoresValue | None
    lineage: list[LibraryActionLineageItem]
    id: str = Field(
        ..., description='The name, with the group before it if there is one.'
    )


class LibraryActionList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[LibraryAction]
    has_more: bool
    first_id: str | None
    last_id: str | None


class LibraryList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Library]
    has_more: bool
    first_id: str | None
    last_id: str | None


class LoopProgress(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    round: int
    rounds: int
    stage: str | None = Field(
        ..., description='The stage under way, or the one that paused the loop.'
    )
    ref: str | None


class LoopControlValuePolicyValue(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    endpoint: str = Field(
        ..., description='The name of a configured endpoint; GET /v1/models lists them.'
    )
    id: str = Field(..., description='The model, as its endpoint calls it.')


class LoopControlValue(BaseModel):
    """
    Beside round 1; null if the request asked for none.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    model: str | None
    policy: LoopControlValuePolicyValue | None
    evaluation: str | None


class LoopBestValue(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    round: int
    model: str | None


class LoopUsage(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    cost: float | None
    seconds: float = Field(..., description='Of all stages together.')


class LoopDifference(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    tasks: int = Field(
        ...,
        description='Tasks on which both have an episode with a reward; 0 if the loop refused the comparison.',
    )
    success_rate: Estimate | None
    reward: Estimate | None
    won: int
    lost: int
    p_value: float | None = Field(..., description='Of the exact sign test over tasks.')
    refused: str | None = Field(
        ...,
        description='The reason for refusing the comparison; then there is no number.',
    )
    warnings: list[str] = Field(..., description='Terms on which the two did not meet.')


class LoopLimits(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    cost: float | None = Field(None, description='US dollars, of all stages together.')
    time: float | None = Field(None, description='Seconds of running, pauses left out.')


class LoopLineageNodesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    kind: Literal['model', 'training', 'dataset', 'run', 'trajectories', 'nodes']
    label: str
    round: int | None
    facts: dict[str, Any]


class LoopLineageEdgesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    from_: str = Field(..., alias='from')
    to: str
    label: str


class LoopLineage(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    nodes: list[LoopLineageNodesItem]
    edges: list[LoopLineageEdgesItem]


class LoopPlanTasks(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    train: int
    dev: int | None
    test: int


class LoopPlanStagesItemEstimateValue(BaseModel):
    """
    Of the runs; null if no known endpoint would answer.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    model_calls: Figure
    input_tokens: Figure
    output_tokens: Figure
    cost: Figure | None = Field(
        ..., description='US dollars; null if the endpoint states no price.'
    )


class LoopPlanStagesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    round: int
    stage: str
    kind: Literal['explore', 'build', 'train', 'serve', 'evaluate']
    what: str
    episodes: int | None
    estimate: LoopPlanStagesItemEstimateValue | None = Field(
        ..., description='Of the runs; null if no known endpoint would answer.'
    )


class LoopPlanCostValue(BaseModel):
    """
    US dollars of all runs; null if one of them has no estimate or no price.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    expected: float
    at_most: float


class LoopPlan(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['loop_plan']
    recipe: Literal['rft', 'eto', 'agent-r', 'exploratory', 'step-dpo']
    tasks: LoopPlanTasks = Field(..., title='LoopPlanTasks')
    stages: list[LoopPlanStagesItem]
    cost: LoopPlanCostValue | None = Field(
        ...,
        description='US dollars of all runs; null if one of them has no estimate or no price.',
    )
    notes: list[str] = Field(..., description='Items that the figures leave out.')
    settings: dict[str, Any] = Field(
        ..., description='Every setting, those of the recipe too.'
    )


class LoopRecipeSettingsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    field: str
    value: Any = Field(..., description='Null: open unless a request says it.')
    source: str = Field(..., description='The source of the value.')


class LoopRecipe(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: Literal['rft', 'eto', 'agent-r', 'exploratory', 'step-dpo']
    object: Literal['loop_recipe']
    title: str
    paper: str
    kind: str = Field(..., description='Of the datasets that its rounds build.')
    training: str = Field(..., description='The training recipe of its rounds.')
    settings: list[LoopRecipeSettingsItem]
    deviations: list[str] = Field(
        ..., description='Differences that remain from the paper.'
    )


class LoopRecipeList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[LoopRecipe]
    has_more: bool
    first_id: str | None
    last_id: str | None


class LoopReportControlValueEvaluationValue(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    run: str = Field(..., description='The evaluation.')
    success_rate: Estimate | None = Field(
        ...,
        description='Null while the evaluation runs, and if too many episodes errored.',
    )
    episodes: int
    errored: int


class LoopReportControlValue(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    model: str | None
    evaluation: LoopReportControlValueEvaluationValue | None
    minus_start: LoopDifference | None
    round_minus_control: LoopDifference | None = Field(
        ..., description='Round 1 minus the control.'
    )
    steps: int | None


class LoopReportBestValue(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    round: int
    model: str | None
    minus_start: LoopDifference | None


class LoopReportUsage(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    cost: float | None
    seconds: float


class LoopRequestPolicy(BaseModel):
    """
    The endpoint for a base that is not registered; required if the base plays before the first training.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    endpoint: str = Field(
        ..., description='The name of a configured endpoint; GET /v1/models lists them.'
    )
    id: str = Field(..., description='The model, as its endpoint calls it.')


class LoopRequestModel(BaseModel):
    """
    Settings for the calls to every model of the loop, beside the temperatures in `settings`.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    top_p: float | None = 1
    max_tokens: int | None = Field(
        None,
        description='Maximum length of an answer in tokens, thoughts included. Default: 4,096; 512 for the simulated model. A run records the value used.',
    )
    max_prompt_tokens: int | None = Field(
        None,
        description='Longer prompts lose their oldest action and observation pairs first. Default: 32,000. For a model that the service serves, at most the part of its context beyond `max_tokens`. A run records the value used.',
    )
    stop: list[str] | None = Field(
        None,
        description='Answers end before the first of these texts. Of `model` they hold for the policy alone; a role has its own.',
    )


class LoopRequestInputPolicy(BaseModel):
    """
    The endpoint for a base that is not registered; required if the base plays before the first training.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    endpoint: str = Field(
        ..., description='The name of a configured endpoint; GET /v1/models lists them.'
    )
    id: str = Field(..., description='The model, as its endpoint calls it.')


class LoopRequestInputModel(BaseModel):
    """
    Settings for the calls to every model of the loop, beside the temperatures in `settings`.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    top_p: float | None = 1
    max_tokens: int | None = Field(
        None,
        description='Maximum length of an answer in tokens, thoughts included. Default: 4,096; 512 for the simulated model. A run records the value used.',
    )
    max_prompt_tokens: int | None = Field(
        None,
        description='Longer prompts lose their oldest action and observation pairs first. Default: 32,000. For a model that the service serves, at most the part of its context beyond `max_tokens`. A run records the value used.',
    )
    stop: list[str] | None = Field(
        None,
        description='Answers end before the first of these texts. Of `model` they hold for the policy alone; a role has its own.',
    )


class LoopRoundPolicyValue(BaseModel):
    """
    The endpoint of this model, once the service serves it.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    endpoint: str = Field(
        ..., description='The name of a configured endpoint; GET /v1/models lists them.'
    )
    id: str = Field(..., description='The model, as its endpoint calls it.')


class LoopStage(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str = Field(..., description='Its name in the round, such as `explore`.')
    kind: Literal['explore', 'build', 'train', 'serve', 'evaluate']
    purpose: Literal['round', 'experts', 'candidate', 'control'] = Field(
        ...,
        description='`candidate`: a checkpoint on the dev tasks; `control`: beside round 1.',
    )
    object: Literal['run', 'dataset', 'training', 'endpoint']
    ref: str = Field(
        ...,
        description='The id of the run, dataset or training, or the name of the endpoint.',
    )
    tries: int = Field(..., description='Number of starts; above 1 after a failure.')
    status: Literal['running', 'succeeded', 'failed']
    started_at: AwareDatetime
    ended_at: AwareDatetime | None
    seconds: float
    cost: float | None = Field(
        ..., description='US dollars; null if there is no price.'
    )
    facts: dict[str, Any] = Field(
        ..., description='Its outcome, such as rows, steps or checkpoints.'
    )


class Lora(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    rank: int
    alpha: float = Field(..., description='The update is scaled by alpha / rank.')
    dropout: float
    target_modules: Literal['all-linear'] | list[str] = Field(
        ..., description='Which layers get an adapter, by name.'
    )
    merge: bool = Field(
        ...,
        description='True to merge the adapter into the weights at the end, so that any server reads the model.',
    )


class LoraInput(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    rank: int | None = 16
    alpha: float | None = Field(32, description='The update is scaled by alpha / rank.')
    dropout: float | None = 0.05
    target_modules: Literal['all-linear'] | list[str] | None = Field(
        'all-linear', description='Which layers get an adapter, by name.'
    )
    merge: bool | None = Field(
        True,
        description='True to merge the adapter into the weights at the end, so that any server reads the model.',
    )


class Memory(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['memory']
    run: str
    environment: str
    method: str
    complete: bool = Field(
        ..., description='True if its run has ended; only then can another run read it.'
    )
    created_at: AwareDatetime


class MemoryList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Memory]
    has_more: bool
    first_id: str | None
    last_id: str | None


class MemoryNoteEmbeddingValue(BaseModel):
    """
    Of objective and observation; null: found by its words.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    model: str
    vector: list[float]


class MemoryNote(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str = Field(
        ...,
        description='Unique in its memory: the episode and a key, so that writing it twice is writing it once.',
    )
    side: Literal['policy', 'value', 'task'] = Field(
        ...,
        description='The reader of the note: the one who acts, the one who judges, or every episode of its group.',
    )
    group: str | None = Field(
        ..., description='The group of tasks it is for; null: all.'
    )
    episode: str
    task: str
    objective: str = Field(
        ..., description='The goal, in the words of the first observation.'
    )
    observation: str = Field(
        ...,
        description='The observation at which the episode learned it. Together with the objective, this finds the note.',
    )
    action: str | None
    note: str
    surprise: float | None = Field(
        ..., description='The gap between the expected outcome and the real one.'
    )
    embedding: MemoryNoteEmbeddingValue | None = Field(
        ..., description='Of objective and observation; null: found by its words.'
    )


class MemoryNoteList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[MemoryNote]
    has_more: bool
    first_id: str | None
    last_id: str | None


class MethodModule(BaseModel):
    """
    The code of an added method; absent for those that come with Espalier.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    file: str = Field(
        ..., description='As `methods.json` names it, from the folder of that file.'
    )
    digest: str = Field(
        ...,
        description='Of the file, and of the files that it imports by relative paths: its version.',
    )


class MethodChoice(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    __annotations__ = {
        '__pydantic_extra__': Dict[str, Any],
    }
    id: str = Field(
        ..., description='A method; GET /v1/methods lists them with their parameters.'
    )


class ModelCallEndingsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    finish_reason: str | None = Field(
        ...,
        description='Finish reason of the answer, in the words of the endpoint; null if the journal does not say.',
    )
    fault: Literal['filtered', 'refused', 'cut', 'empty', 'unparsable'] | None


class ModelChoice(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    endpoint: str = Field(
        ..., description='The name of a configured endpoint; GET /v1/models lists them.'
    )
    id: str = Field(..., description='The model, as its endpoint calls it.')
    temperature: float
    top_p: float
    max_tokens: int | None = Field(
        None,
        description='Maximum length of an answer in tokens, thoughts included. Default: 4,096; 512 for the simulated model. A run records the value used.',
    )
    max_prompt_tokens: int | None = Field(
        None,
        description='Longer prompts lose their oldest action and observation pairs first. Default: 32,000. For a model that the service serves, at most the part of its context beyond `max_tokens`. A run records the value used.',
    )
    tokenizer: str | None = Field(
        None,
        description='The registered model whose tokenizer and chat template count prompts, or `estimate`: three bytes for a token. Default: the model itself if the service serves it, else `estimate`. A run records it.',
    )
    max_pictures: int | None = Field(
        None,
        description='Number of its newest pictures that a prompt shows; 0: texts alone. Default: 4, as in VisualWebArena and OSWorld.',
    )
    reasoning_effort: str | None = Field(
        None,
        description='Amount of thinking for a model that reasons, in its endpoint’s word: OpenAI knows none, minimal, low, medium, high and xhigh. If absent, calls do not send it.',
    )
    stop: list[str] | None = Field(
        None,
        description='Answers end before the first of these texts. Of `model` they hold for the policy alone; a role has its own.',
    )


class ModelChoiceInput(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    endpoint: str = Field(
        ..., description='The name of a configured endpoint; GET /v1/models lists them.'
    )
    id: str = Field(..., description='The model, as its endpoint calls it.')
    temperature: float | None = 1
    top_p: float | None = 1
    max_tokens: int | None = Field(
        None,
        description='Maximum length of an answer in tokens, thoughts included. Default: 4,096; 512 for the simulated model. A run records the value used.',
    )
    max_prompt_tokens: int | None = Field(
        None,
        description='Longer prompts lose their oldest action and observation pairs first. Default: 32,000. For a model that the service serves, at most the part of its context beyond `max_tokens`. A run records the value used.',
    )
    tokenizer: str | None = Field(
        None,
        description='The registered model whose tokenizer and chat template count prompts, or `estimate`: three bytes for a token. Default: the model itself if the service serves it, else `estimate`. A run records it.',
    )
    max_pictures: int | None = Field(
        None,
        description='Number of its newest pictures that a prompt shows; 0: texts alone. Default: 4, as in VisualWebArena and OSWorld.',
    )
    reasoning_effort: str | None = Field(
        None,
        description='Amount of thinking for a model that reasons, in its endpoint’s word: OpenAI knows none, minimal, low, medium, high and xhigh. If absent, calls do not send it.',
    )
    stop: list[str] | None = Field(
        None,
        description='Answers end before the first of these texts. Of `model` they hold for the policy alone; a role has its own.',
    )


class ModelFilePartsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    sha256: str
    bytes: int


class ModelFile(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str
    bytes: int
    sha256: str = Field(
        ...,
        description='Of the whole file. It is checked whenever the file is written to a folder.',
    )
    parts: list[ModelFilePartsItem]


class ModelLineageStepBaseValueValue(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    hub: str = Field(
        ..., description="A model's name at a hub, such as Qwen/Qwen3-0.6B."
    )
    revision: str | None = None


class ModelLineageStepBaseValueValue1(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    folder: str


class ModelLineageStep(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    model: str
    name: str
    created_at: AwareDatetime
    training: str | None
    datasets: list[str]
    runs: list[str]
    base: ModelLineageStepBaseValueValue | ModelLineageStepBaseValueValue1 | None


class NoteUsesEpisodes(BaseModel):
    """
    Over how many episodes the uses are.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    total: int = Field(..., description='Episodes of the run that have begun.')
    read: int = Field(
        ...,
        description='Number of journals read of these: all, or a seeded sample if they are many or large.',
    )


class NoteUsesUsesItemPlacesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    episode: str
    task: str
    node: int | None


class NoteUsesUsesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    note: str
    count: int = Field(..., description='Number of times a prompt showed it.')
    places: list[NoteUsesUsesItemPlacesItem] = Field(
        ...,
        description='The first twenty; `node` is null if the note was for a whole episode.',
    )


class NoteUses(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['note_uses']
    memory: str
    run: str = Field(..., description='Whose episodes were looked at.')
    episodes: NoteUsesEpisodes = Field(
        ...,
        description='Over how many episodes the uses are.',
        title='NoteUsesEpisodes',
    )
    uses: list[NoteUsesUsesItem]


class PersonJudge(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    kind: Literal['person']
    name: str = Field(
        ..., description='The name of a person who judges.', examples=['ada']
    )


class Picture(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    type: Literal['blob']
    sha256: str
    media_type: str
    width: int | None = Field(
        None, description='Pixels; known of every picture that a host sent.'
    )
    height: int | None = Field(None, description='Pixels.')


class PresetSettingsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    field: str = Field(..., description='Of the request, by its path.')
    value: Any
    source: str = Field(
        ..., description='The place in the paper or its code that states it.'
    )
    environments: list[str] | None = Field(
        None, description='Only in these environments; absent: in every one.'
    )


class PresetDeviationsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    text: str
    environments: list[str] | None = Field(
        None, description='Only in these environments; absent: in every one.'
    )


class Preset(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: Literal['exact-vwa', 'exact-osworld', 'agent-r', 'eto', 'learnact']
    object: Literal['preset']
    title: str
    paper: str
    source: str = Field(
        ..., description='Which code, and which of its scripts, the settings are from.'
    )
    environments: list[str] = Field(
        ...,
        description='Environments of the paper that Espalier has; empty: it has none of them, and any environment will do.',
    )
    settings: list[PresetSettingsItem]
    deviations: list[PresetDeviationsItem] = Field(
        ..., description='Differences that remain, whatever the request.'
    )


class PresetList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Preset]
    has_more: bool
    first_id: str | None
    last_id: str | None


class PrimitiveStep(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    action: str
    observation: str
    reward: float
    valid: bool


class Prompt(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str = Field(
        ...,
        description='Under which name a run puts its own text in its place, in `prompts`.',
    )
    purpose: str
    slots: list[str] = Field(
        ..., description='Slots for the text to fill in, as `{{slot}}`.'
    )
    text: str


class ProvenancePackValue(BaseModel):
    """
    The data pack; null if the data comes along with the environment.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    name: str | None = Field(
        ...,
        description='The pack’s name at the time; null if the run kept only its digest.',
    )
    digest: str


class Provenance(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    origin: Literal['generated', 'original', 'own', 'unknown'] = Field(
        ...,
        description='`generated`: made for Espalier, so do not put its numbers beside published ones. `original`: the benchmark’s own tasks. `own`: a custom environment or pack. `unknown`: the run is older than this record.',
    )
    about: str = Field(
        ...,
        description='A description of the data, such as `the games of ALFWorld`; empty if it is unknown.',
    )
    pack: ProvenancePackValue | None = Field(
        ...,
        description='The data pack; null if the data comes along with the environment.',
    )


class RecordScoresJudgementsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    value: float | None = Field(
        ..., description='From 0, the worst, to 1, the best; null: the scorer failed.'
    )
    episode: str
    error: str | None = Field(
        None, description='The scorer’s error, in place of a value.'
    )
    note: str | None = None
    end: str | None = Field(
        None,
        description='Of the scored end: the first 16 hexadecimal digits of the SHA-256 of its status and result, as canonical JSON. If the episode has ended differently since, the API stores nothing.',
    )


class RegisteredModelBaseValueValue(BaseModel):
    """
    The model from outside of the registry that it was trained from, or that it is.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    hub: str = Field(
        ..., description="A model's name at a hub, such as Qwen/Qwen3-0.6B."
    )
    revision: str | None = None


class RegisteredModelBaseValueValue1(BaseModel):
    """
    The model from outside of the registry that it was trained from, or that it is.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    folder: str


class RegisteredModelRequestBaseValueValue(BaseModel):
    """
    The model from outside of the registry that it was trained from, or that it is.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    hub: str = Field(
        ..., description="A model's name at a hub, such as Qwen/Qwen3-0.6B."
    )
    revision: str | None = None


class RegisteredModelRequestBaseValueValue1(BaseModel):
    """
    The model from outside of the registry that it was trained from, or that it is.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    folder: str


class RegisteredModelRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str | None = None
    parent: str | None = Field(
        None, description='The registered model that it was trained from.'
    )
    base: (
        RegisteredModelRequestBaseValueValue
        | RegisteredModelRequestBaseValueValue1
        | None
    ) = Field(None, description='The model from outside of the registry that it was trained from, or that it is.')
    training: str | None = Field(None, description='The training that made it.')
    datasets: list[str] | None = Field(
        None, description='The datasets that it was trained on.'
    )
    runs: list[str] | None = Field(
        None, description='The runs that these datasets were built from.'
    )
    format: Literal['safetensors', 'gguf', 'adapter'] | None = None
    tokenizer: str | None = Field(
        None,
        description='The file that holds its tokenizer, as a `tokenizer.json`; null: none that can be read here.',
    )
    chat_template: str | None = Field(
        None, description='The Jinja template that makes a prompt of messages.'
    )
    context_length: int | None = Field(
        None, description='Tokens of prompt and answer together.'
    )
    licence: str | None = Field(None, description='Its licence, as far as it is known.')
    folder: str | None = Field(
        None,
        description='A folder on the machine of the service; for its operator alone.',
    )
    files: list[ModelFile] | None = Field(
        None,
        description='Files whose parts were uploaded with `PUT /v1/weight-parts/{sha256}`.',
    )


class RemoteModel(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    trainer: str = Field(..., description='The trainer whose service keeps it.')
    name: str = Field(..., description='The name under which the service knows it.')


class RemovedEndpoint(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['endpoint']
    deleted: Literal[True]


class ReportDrawsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    k: int
    pass_at_k: Estimate = Field(
        ..., description='That one of k episodes at a task succeeds (Chen et al. 2021).'
    )
    pass_hat_k: Estimate = Field(
        ..., description='That all k do: pass^k (Yao et al. 2024).'
    )


class ReportInvalidActions(BaseModel):
    """
    Actions that were not understood or not possible, in whole trees.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    count: int
    share: Estimate = Field(
        ..., description='Of all actions taken; its `count` is how many those are.'
    )


class ReportErrorsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    episode: str
    task: str
    name: str
    message: str


class ReportTasksItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    task: str
    type: str | None = Field(
        ...,
        description='Null if `by_type` is null, and for a task that no longer exists.',
    )
    episodes: int
    scored: int
    successes: int
    mean_reward: float | None
    mean_steps: float | None = Field(
        ..., description='Of one episode, over those that reached an end.'
    )
    mean_tokens: float | None
    mean_cost: float | None
    steps: float = Field(
        ..., description='The total of all its ended episodes, errors included.'
    )
    tokens: int = Field(..., description='The total, as `steps`.')
    cost: float | None = Field(..., description='The total, as `steps`.')


class ReportedRoundEvaluationValue(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    run: str = Field(..., description='The evaluation.')
    success_rate: Estimate | None = Field(
        ...,
        description='Null while the evaluation runs, and if too many episodes errored.',
    )
    episodes: int
    errored: int


class ReportedRoundStagesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str = Field(..., description='Its name in the round, such as `explore`.')
    kind: Literal['explore', 'build', 'train', 'serve', 'evaluate']
    purpose: Literal['round', 'experts', 'candidate', 'control'] = Field(
        ...,
        description='`candidate`: a checkpoint on the dev tasks; `control`: beside round 1.',
    )
    object: Literal['run', 'dataset', 'training', 'endpoint']
    ref: str = Field(
        ...,
        description='The id of the run, dataset or training, or the name of the endpoint.',
    )
    tries: int = Field(..., description='Number of starts; above 1 after a failure.')
    status: Literal['running', 'succeeded', 'failed']
    started_at: AwareDatetime
    ended_at: AwareDatetime | None
    seconds: float
    cost: float | None = Field(
        ..., description='US dollars; null if there is no price.'
    )


class ResolvedDefaultsModule(BaseModel):
    """
    The file of an added method, and its version when the run was made or last extended; absent of methods that come with Espalier.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    file: str = Field(
        ..., description='As `methods.json` names it, from the folder of that file.'
    )
    digest: str = Field(
        ...,
        description='Of the file, and of the files that it imports by relative paths: its version.',
    )


class ResolvedDefaults(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    horizon: Horizon
    parameters: dict[str, Any] = Field(
        ...,
        description='Values of the method’s parameters that the request omits and that have no fixed default.',
    )
    module: ResolvedDefaultsModule | None = Field(
        None,
        description='The file of an added method, and its version when the run was made or last extended; absent of methods that come with Espalier.',
        title='ResolvedDefaultsModule',
    )
    warnings: list[str] | None = Field(
        None,
        description='Workarounds of the run, such as estimating prompts because a tokenizer does not work; absent if there are none.',
    )


class ResumeLoop(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    limits: LoopLimits | None = None


class RevokedApiKey(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['api_key']
    deleted: Literal[True]


class RoleChoice(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    endpoint: str | None = Field(
        None,
        description='The name of a configured endpoint; GET /v1/models lists them.',
    )
    id: str | None = Field(None, description='The model, as its endpoint calls it.')
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    max_prompt_tokens: int | None = Field(
        None,
        description='Longer prompts lose their oldest action and observation pairs first. Default: 32,000. For a model that the service serves, at most the part of its context beyond `max_tokens`. A run records the value used.',
    )
    tokenizer: str | None = Field(
        None,
        description='The registered model whose tokenizer and chat template count prompts, or `estimate`: three bytes for a token. Default: the model itself if the service serves it, else `estimate`. A run records it.',
    )
    max_pictures: int | None = None
    reasoning_effort: str | None = None
    stop: list[str] | None = Field(
        None,
        description='Answers end before the first of these texts. Of `model` they hold for the policy alone; a role has its own.',
    )


class RoundOutcome(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    against: int = Field(..., description='The round whose model was the best before.')
    difference: Estimate | None = Field(
        ...,
        description='Of the metric, this model minus that one, paired by task; null if the loop refused the comparison.',
    )
    refused: str | None = Field(
        ..., description='The reason for refusing to compare the two evaluations.'
    )
    promoted: bool = Field(
        ..., description='True if its model has been the best since.'
    )
    reason: str = Field(..., description='The reason for the promotion, or against it.')


class RunEstimatePerEpisode(BaseModel):
    """
    An episode that plays, not one that learns.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    model_calls: Figure
    input_tokens: Figure
    output_tokens: Figure
    cost: Figure | None = Field(
        ..., description='US dollars; null if the endpoint states no price.'
    )


class RunEstimateBasis(BaseModel):
    """
    The basis of each figure, in words.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    from_: Literal['earlier_runs', 'method'] = Field(
        ...,
        alias='from',
        description="Basis of the expected figures: your own earlier runs, or the method's structure.",
    )
    runs: list[str] = Field(..., description='The earlier runs.')
    episodes: int = Field(..., description='Their episodes.')
    model_calls: str
    input_tokens: str
    output_tokens: str
    cost: str
    host_hours: str


class RunEstimate(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['run_estimate']
    episodes: Figure = Field(
        ...,
        description='As many as the limits of the run pay for. The others wait for a higher limit.',
    )
    learning_episodes: int = Field(
        ...,
        description='Number of them that learn for the others, on tasks of their own.',
    )
    model_calls: Figure
    input_tokens: Figure
    output_tokens: Figure
    cost: Figure | None = Field(
        ..., description='US dollars; null if the endpoint states no price.'
    )
    host_hours: Figure
    per_episode: RunEstimatePerEpisode = Field(
        ...,
        description='An episode that plays, not one that learns.',
        title='RunEstimatePerEpisode',
    )
    limits: list[EstimatedLimit]
    basis: RunEstimateBasis = Field(
        ..., description='The basis of each figure, in words.', title='RunEstimateBasis'
    )


class RunEvent1(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    type: Literal['run.status']
    sequence: int
    created_at: AwareDatetime
    status: Literal['queued', 'running', 'paused', 'succeeded', 'failed', 'cancelled']
    reason: str | None


class RunEvent2(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    type: Literal['run.problem']
    sequence: int
    created_at: AwareDatetime
    message: str = Field(
        ...,
        description='The problem that left a call to a model without an answer, and the next try.',
    )


class RunEvent3ResultErrorValue(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str
    message: str
    effect: str | None = Field(..., description='The failed effect, if there is one.')
    code: str | None = Field(
        None,
        description='The error code of the API, such as `replay_diverged`, if it is one of the API’s errors.',
    )


class RunLimits(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    cost: float | None = Field(None, description='US dollars.')
    tokens: int | None = Field(None, description='Input and output tokens together.')
    time: float | None = Field(None, description='Seconds of running, pauses left out.')


class Scope(RootModel[Literal['runs:write', 'runs:read', 'datasets:read', 'admin']]):
    root: Literal['runs:write', 'runs:read', 'datasets:read', 'admin'] = (
        Field(
            ...,
            description='Permission of a key within its tenant; `admin` includes the others.',
        )
    )


class ScoreFigures(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str = Field(..., description='The name of a score.', examples=['helpful'])
    kind: Literal['person', 'scorer']
    value: Estimate = Field(
        ...,
        description='The mean over episodes; if several people judged an episode, their mean counts.',
    )
    episodes: int = Field(
        ...,
        description='Episodes that reached an end; those with an error do not count.',
    )
    scored: int = Field(..., description='Of these, those with a value.')
    missing: int = Field(..., description='Those without a judgement.')
    errors: int = Field(
        ..., description='Those whose scorer failed. They are in no mean.'
    )
    outdated: int = Field(
        ...,
        description='Those whose judgement is older than their present end. They are in no mean.',
    )


class ScoreFilter(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str = Field(..., description='The name of a score.', examples=['helpful'])
    at_least: float | None = None
    at_most: float | None = None
    by: str | None = Field(
        None,
        description='Of people’s judgements only those of this person. Default: the mean of all people’s.',
        examples=['ada'],
    )


class ScoreReportFirstErrorsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    episode: str
    error: str


class ScoreReport(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str = Field(..., description='The name of a score.', examples=['helpful'])
    kind: Literal['person', 'scorer']
    value: Estimate = Field(
        ...,
        description='The mean over episodes; if several people judged an episode, their mean counts.',
    )
    episodes: int = Field(
        ...,
        description='Episodes that reached an end; those with an error do not count.',
    )
    scored: int = Field(..., description='Of these, those with a value.')
    missing: int = Field(..., description='Those without a judgement.')
    errors: int = Field(
        ..., description='Those whose scorer failed. They are in no mean.'
    )
    outdated: int = Field(
        ...,
        description='Those whose judgement is older than their present end. They are in no mean.',
    )
    object: Literal['score_report']
    run: str
    agreement: Agreement
    first_errors: list[ScoreReportFirstErrorsItem] = Field(
        ..., description='Of the episodes whose scorer failed, the first 20.'
    )


class Scorer(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    kind: Literal['scorer']
    name: str = Field(..., description='For people, such as the file’s name.')
    digest: str = Field(
        ...,
        description='Of its source, or of the rubric, the prompt and the model: another scorer has another one.',
    )
    model: str | None = Field(
        ..., description='The endpoint and model that judged; null: no model did.'
    )


class ScorerInput(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    kind: Literal['scorer']
    name: str = Field(..., description='For people, such as the file’s name.')
    digest: str = Field(
        ...,
        description='Of its source, or of the rubric, the prompt and the model: another scorer has another one.',
    )
    model: str | None = Field(
        None, description='The endpoint and model that judged; null: no model did.'
    )


class ServeRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    driver: Literal['llama-cpp', 'vllm', 'sglang', 'command', 'remote'] | None = Field(
        None,
        description='The serving program. Default: `vllm` or `sglang` if one is installed and there is a GPU, else `llama-cpp`. `remote` is for a model that a service keeps, and for no other.',
    )
    command: list[str] | None = Field(
        None,
        description='The program of the driver `command` and its arguments; `{folder}`, `{port}`, `{name}` and `{context}` are filled in. It must serve `/v1/chat/completions` and `/health` at 127.0.0.1. For the operator of the service alone.',
    )
    context: int | None = Field(
        None,
        description='Tokens of prompt and answer of one call. Default: the context length of the model.',
    )
    slots: int = Field(..., description='Maximum number of parallel calls.')
    threads: int | None = Field(
        None,
        description='Threads of a server on a CPU. Default: `OMP_NUM_THREADS`, or the processors that there are.',
    )
    accelerator: str | None = Field(
        None,
        description='The accelerator that it holds while it runs, which trainings and other servers wait for, or `none`. Default: `gpu` of `vllm` and `sglang`, `none` of others.',
    )
    idle_minutes: float = Field(
        ...,
        description='Minutes without a call after which the server is stopped. The next call starts it again.',
    )
    start_seconds: int = Field(
        ...,
        description='Seconds within which a server must be healthy after its start.',
    )


class ServeRequestInput(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    driver: Literal['llama-cpp', 'vllm', 'sglang', 'command', 'remote'] | None = Field(
        None,
        description='The serving program. Default: `vllm` or `sglang` if one is installed and there is a GPU, else `llama-cpp`. `remote` is for a model that a service keeps, and for no other.',
    )
    command: list[str] | None = Field(
        None,
        description='The program of the driver `command` and its arguments; `{folder}`, `{port}`, `{name}` and `{context}` are filled in. It must serve `/v1/chat/completions` and `/health` at 127.0.0.1. For the operator of the service alone.',
    )
    context: int | None = Field(
        None,
        description='Tokens of prompt and answer of one call. Default: the context length of the model.',
    )
    slots: int | None = Field(4, description='Maximum number of parallel calls.')
    threads: int | None = Field(
        None,
        description='Threads of a server on a CPU. Default: `OMP_NUM_THREADS`, or the processors that there are.',
    )
    accelerator: str | None = Field(
        None,
        description='The accelerator that it holds while it runs, which trainings and other servers wait for, or `none`. Default: `gpu` of `vllm` and `sglang`, `none` of others.',
    )
    idle_minutes: float | None = Field(
        10,
        description='Minutes without a call after which the server is stopped. The next call starts it again.',
    )
    start_seconds: int | None = Field(
        600,
        description='Seconds within which a server must be healthy after its start.',
    )


class ShownObservationPartValue(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    type: Literal['text']
    text: str


class ShownObservationPartValue1(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    type: Literal['blob']
    sha256: str
    media_type: str
    url: str | None = Field(
        ...,
        description='Shows it without a key for a quarter of an hour, relative to the address of the request; null if `sha256` names no blob.',
    )


class ShownObservationPart(
    RootModel[ShownObservationPartValue | ShownObservationPartValue1]
):
    root: ShownObservationPartValue | ShownObservationPartValue1


class SignedFile(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str
    rows: int | None
    bytes: int
    sha256: str
    id: str
    url: str = Field(
        ..., description='Downloads the file without a key until it expires.'
    )
    expires_at: AwareDatetime


class SignedFileList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[SignedFile]
    has_more: bool
    first_id: str | None
    last_id: str | None


class StateChange(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    type: Literal['added', 'changed', 'removed']
    path: list[str | float] = Field(
        ..., description='Path in the state, as keys and positions.'
    )
    before: Any | None = None
    after: Any | None = None


class StoppedModelServer(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['model_server']
    stopped: Literal[True]


class SuccessRatesRatesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    run: str
    provenance: Provenance
    success_rate: Estimate
    of: Literal['counts', 'episodes', 'share'] = Field(
        ...,
        description='`counts`: computed from the run’s counters, as its report would. `episodes`: its episodes were read, because each task was played more than once. `share`: they are too many for that, so there is no interval; its report has it.',
    )


class SuccessRates(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['success_rates']
    rates: list[SuccessRatesRatesItem]


class Task(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['task']
    split: str
    type: str
    description: str
    max_steps: int | None = Field(
        None, description='Its own default of the longest trajectory.'
    )
    min_steps: int | None = Field(
        None,
        description='No solution has fewer steps; above the longest trajectory, the task cannot be solved.',
    )
    lacks: list[str] | None = Field(
        None,
        description='Its missing requirements: a run cannot select it. Absent: a run can play it.',
    )


class TaskGeneration(BaseModel):
    """
    With the bounds of the generator beside these, such as `"max_balls": 2`.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    __annotations__ = {
        '__pydantic_extra__': Dict[str, Any],
    }
    generator: str | None = Field(
        None,
        description='One of the environment’s generators; GET /v1/environments lists them with their bounds. Optional if there is only one.',
    )
    version: int | None = Field(
        None,
        description='The generator’s version, as a run records it. Default: the newest.',
    )
    count: int = Field(..., description='Number of tasks, all different.')
    seed: int = Field(
        ...,
        description='Which of them, and in which order: a smaller count gives the first ones of a larger.',
    )
    split: Literal['train', 'dev', 'test'] = Field(
        ...,
        description='A task’s content decides its split: no task is in two splits, whatever seeds and bounds are asked for.',
    )


class TaskGenerationInput(BaseModel):
    """
    With the bounds of the generator beside these, such as `"max_balls": 2`.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    __annotations__ = {
        '__pydantic_extra__': Dict[str, Any],
    }
    generator: str | None = Field(
        None,
        description='One of the environment’s generators; GET /v1/environments lists them with their bounds. Optional if there is only one.',
    )
    version: int | None = Field(
        None,
        description='The generator’s version, as a run records it. Default: the newest.',
    )
    count: int = Field(..., description='Number of tasks, all different.')
    seed: int | None = Field(
        0,
        description='Which of them, and in which order: a smaller count gives the first ones of a larger.',
    )
    split: Literal['train', 'dev', 'test'] | None = Field(
        'train',
        description='A task’s content decides its split: no task is in two splits, whatever seeds and bounds are asked for.',
    )


class TaskGroupReportDrawsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    k: int
    pass_at_k: Estimate = Field(
        ..., description='That one of k episodes at a task succeeds (Chen et al. 2021).'
    )
    pass_hat_k: Estimate = Field(
        ..., description='That all k do: pass^k (Yao et al. 2024).'
    )


class TaskGroupReportInvalidActions(BaseModel):
    """
    Actions that were not understood or not possible, in whole trees.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    count: int
    share: Estimate = Field(
        ..., description='Of all actions taken; its `count` is how many those are.'
    )


class TaskGroupReport(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str
    tasks: int
    episodes: int
    success_rate: Estimate
    reward: Estimate
    progress_rate: Estimate = Field(
        ...,
        description='Share of the goal that the answers reached (AgentBoard, section 3.1).',
    )
    grounding_accuracy: Estimate = Field(
        ...,
        description='The share of actions that were understood and possible, by episode (AgentBoard, section 3.2).',
    )
    draws: list[TaskGroupReportDrawsItem] = Field(
        ...,
        description='For k = 1, 2, 4, 8 and so on, up to the fewest scored episodes of a task that has any.',
    )
    invalid_actions: TaskGroupReportInvalidActions = Field(
        ...,
        description='Actions that were not understood or not possible, in whole trees.',
        title='TaskGroupReportInvalidActions',
    )
    mean_steps: float | None = Field(
        ..., description='As every `mean_…` here: of one episode.'
    )
    mean_path_length: float | None = Field(
        ...,
        description='Actions of the agent on the path that gave the reward; a learned action is one.',
    )
    mean_primitive_steps: float | None = Field(
        ...,
        description='Environment steps on that path, those inside learned actions counted one by one.',
    )
    mean_nodes: float | None
    mean_model_calls: float | None
    mean_tokens: float | None
    mean_cached_tokens: float | None = Field(
        ...,
        description='Of the input tokens, those that the endpoint had in its cache.',
    )
    mean_reasoning_tokens: float | None = Field(
        ...,
        description='Of the output tokens, those spent on reasoning that the answers do not show.',
    )
    mean_cost: float | None
    mean_working_seconds: float | None = Field(
        ..., description='Without queueing and downtime.'
    )


class TaskList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Task]
    has_more: bool
    first_id: str | None
    last_id: str | None


class TaskSelection(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    split: str | None = Field(
        None,
        description='A split of the environment, such as `train`. Default: `test`, unless `ids` are named.',
    )
    ids: list[str] | None = None
    generate: TaskGeneration | None = Field(
        None,
        description='Makes tasks, in place of those that come along: in any number and with disjoint splits. Neither `split` nor `ids` stands beside it.',
    )
    range: list[conint(ge=0) | PositiveInt] | None = Field(
        None,
        description='Positions in the split: from the first, up to but without the second.',
        max_length=2,
    )
    types: list[str] | None = Field(None, description='Only tasks of these types.')
    limit: int | None = Field(None, description='At most this many, the first ones.')


class TaskSelectionInput(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    split: str | None = Field(
        None,
        description='A split of the environment, such as `train`. Default: `test`, unless `ids` are named.',
    )
    ids: list[str] | None = None
    generate: TaskGenerationInput | None = Field(
        None,
        description='Makes tasks, in place of those that come along: in any number and with disjoint splits. Neither `split` nor `ids` stands beside it.',
    )
    range: list[conint(ge=0) | PositiveInt] | None = Field(
        None,
        description='Positions in the split: from the first, up to but without the second.',
        max_length=2,
    )
    types: list[str] | None = Field(None, description='Only tasks of these types.')
    limit: int | None = Field(None, description='At most this many, the first ones.')


class TenantLimitsUsed(BaseModel):
    """
    Spent, or set aside for calls of runs that are being played.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    cost: float
    tokens: int


class TenantLimits(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['tenant_limits']
    tenant: str = Field(
        ..., description='The owner of runs, datasets and keys.', examples=['default']
    )
    cost: float | None = Field(..., description='US dollars; null: no limit.')
    tokens: int | None
    used: TenantLimitsUsed = Field(
        ...,
        description='Spent, or set aside for calls of runs that are being played.',
        title='TenantLimitsUsed',
    )


class TenantLimitsRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    cost: float | None = Field(
        None,
        description='US dollars, over all runs of the tenant. Runs of models without a price are refused.',
    )
    tokens: int | None = Field(None, description='Input and output tokens together.')


class Trainer(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['trainer']
    kind: Literal['local', 'command', 'openai', 'aws']
    description: str
    recipes: list[Literal['sft', 'dpo', 'kto', 'rpo', 'prm', 'grpo']]
    formats: list[str] = Field(
        ..., description='The formats of datasets that it reads.'
    )
    hyperparameters: dict[str, dict[str, Any]] | None = Field(
        None,
        description='By recipe, a JSON Schema of its own hyperparameters, if they differ from those of GET /v1/training-recipes.',
    )


class TrainerList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Trainer]
    has_more: bool
    first_id: str | None
    last_id: str | None


class TrainingProgress(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    phase: Literal['waiting', 'preparing', 'starting', 'checking', 'loading', 'training', 'saving', 'registering', 'done'] = (
        Field(
            ...,
            description='`waiting`: for the cause in `waiting_for`; `checking`: the tokenizer measures the rows.',
        )
    )
    step: int
    steps: int = Field(..., description='0 until it is known.')
    tokens: int = Field(..., description='Tokens seen so far.')
    tokens_per_second: float | None
    seconds_left: float | None
    waiting_for: str | None = Field(
        ...,
        description='The resource it waits for, such as an accelerator that the server of a model holds.',
    )


class TrainingRowsByDatasetItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    dataset: str
    split: str
    rows: int = Field(..., description='That it has.')
    used: int = Field(
        ...,
        description='In an epoch; more than `rows` if its share requires repetition.',
    )


class TrainingRows(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    total: int = Field(..., description='Rows of an epoch, after mixing.')
    by_dataset: list[TrainingRowsByDatasetItem]
    tokens: int | None = Field(..., description='Of an epoch.')
    learned_tokens: int | None = Field(
        ..., description='Of these, the tokens with a loss.'
    )
    longest: int | None = Field(..., description='Tokens of the longest row.')
    too_long: int | None = Field(..., description='Rows longer than `max_length`.')
    truncated: int | None
    dropped: int | None = Field(..., description='For being too long.')


class TrainingUsage(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    seconds: float = Field(..., description='Of work, over all starts.')
    cost: float = Field(..., description='US dollars.')
    starts: int = Field(..., description='Number of starts of the trainer.')


class TrainingCheckpointsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    step: int
    files: int
    bytes: int
    sha256: str = Field(..., description='Of the list of its files with their digests.')
    has_optimizer: bool = Field(
        ...,
        description='True if a training can resume from it; if false, it has the weights alone.',
    )
    remote: str | None = Field(
        ...,
        description='Its name at the service that keeps it, if it has no files here.',
    )


class TrainingBase1(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    registered: str = Field(..., description='The id of a registered model.')


class TrainingBase2(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    hub: str = Field(
        ...,
        description='A model that the trainer reads from the hub, as owner/name; or its name at the service that trains it.',
    )
    revision: str | None = None


class TrainingBase3(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    folder: str = Field(
        ..., description='A folder on the trainer’s machine with weights and tokenizer.'
    )


class TrainingBase(RootModel[TrainingBase1 | TrainingBase2 | TrainingBase3]):
    root: TrainingBase1 | TrainingBase2 | TrainingBase3


class TrainingLimits(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    cost: float | None = Field(None, description='US dollars.')
    time: float | None = Field(None, description='Seconds of work, waiting left out.')


class TrainingMetric(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    step: int
    seconds: float = Field(..., description='Of work, until then.')
    tokens: int
    loss: float
    accuracy: float | None = Field(
        ...,
        description='Of the predicted tokens (sft), or of the correctly ranked pairs (dpo, rpo).',
    )
    learning_rate: float | None
    values: dict[str, float] = Field(
        ..., description='Other values from the trainer, by its names.'
    )
    id: str = Field(..., description='The step.')


class TrainingMetricList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[TrainingMetric]
    has_more: bool
    first_id: str | None
    last_id: str | None


class TrainingPoint(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    step: int
    seconds: float = Field(..., description='Of work, until then.')
    tokens: int
    loss: float
    accuracy: float | None = Field(
        ...,
        description='Of the predicted tokens (sft), or of the correctly ranked pairs (dpo, rpo).',
    )
    learning_rate: float | None
    values: dict[str, float] = Field(
        ..., description='Other values from the trainer, by its names.'
    )


class TrainingRecipe(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: Literal['sft', 'dpo', 'kto', 'rpo', 'prm', 'grpo']
    object: Literal['training_recipe']
    description: str
    source: str = Field(..., description='Source of the defaults.')
    kinds: list[str] = Field(
        ..., description='The kinds of datasets that it learns from.'
    )
    hyperparameters: dict[str, Any] = Field(
        ..., description='A JSON Schema with the defaults.'
    )


class TrainingRecipeList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[TrainingRecipe]
    has_more: bool
    first_id: str | None
    last_id: str | None


class TrainingRequestDatasetsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    dataset: str = Field(..., description='The id of a dataset that has succeeded.')
    split: str
    share: float | None = Field(
        None,
        description='Which part of the rows of an epoch it gives. Say it for all datasets or for none.',
    )


class TrainingRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str | None = None
    base: TrainingBase
    datasets: list[TrainingRequestDatasetsItem]
    recipe: Literal['sft', 'dpo', 'kto', 'rpo', 'prm', 'grpo']
    trainer: str = Field(
        ..., description='A configured trainer; GET /v1/trainers lists them.'
    )
    hyperparameters: dict[str, Any] = Field(
        ...,
        description='Of the recipe; GET /v1/training-recipes lists them with their defaults.',
    )
    lora: Lora | None = Field(
        ..., description='Adapters in place of all weights; null: all weights.'
    )
    seed: int
    limits: TrainingLimits = Field(
        ...,
        description='Reaching one pauses the training at a checkpoint; resume continues it.',
    )
    checkpoint_steps: int | None = Field(
        None,
        description='Steps between two checkpoints. Default: a tenth of all steps.',
    )
    keep_checkpoints: int = Field(..., description='The newest so many are kept.')


class TrainingRequestInputDatasetsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    dataset: str = Field(..., description='The id of a dataset that has succeeded.')
    split: str | None = 'train'
    share: float | None = Field(
        None,
        description='Which part of the rows of an epoch it gives. Say it for all datasets or for none.',
    )


class TrainingRequestInput(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str | None = None
    base: TrainingBase
    datasets: list[TrainingRequestInputDatasetsItem]
    recipe: Literal['sft', 'dpo', 'kto', 'rpo', 'prm', 'grpo']
    trainer: str | None = Field(
        'local', description='A configured trainer; GET /v1/trainers lists them.'
    )
    hyperparameters: dict[str, Any] | None = Field(
        {},
        description='Of the recipe; GET /v1/training-recipes lists them with their defaults.',
    )
    lora: LoraInput | None = Field(
        None, description='Adapters in place of all weights; null: all weights.'
    )
    seed: int | None = 0
    limits: TrainingLimits | None = Field(
        {},
        description='Reaching one pauses the training at a checkpoint; resume continues it.',
        validate_default=True,
    )
    checkpoint_steps: int | None = Field(
        None,
        description='Steps between two checkpoints. Default: a tenth of all steps.',
    )
    keep_checkpoints: int | None = Field(3, description='The newest so many are kept.')


class TrajectoryAgent(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str
    version: str
    model_name: str | None = None
    extra: dict[str, Any] | None = None


class TrajectoryStepsItemToolCallsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    tool_call_id: str
    function_name: str
    arguments: dict[str, Any]


class TrajectoryStepsItemObservationResultsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    source_call_id: str | None = None
    content: str


class TrajectoryStepsItemObservation(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    results: list[TrajectoryStepsItemObservationResultsItem]


class TrajectoryStepsItemMetrics(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    extra: dict[str, Any] | None = None


class TrajectoryStepsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    step_id: int
    timestamp: AwareDatetime | None = None
    source: Literal['system', 'user', 'agent']
    model_name: str | None = None
    message: str
    tool_calls: list[TrajectoryStepsItemToolCallsItem] | None = None
    observation: TrajectoryStepsItemObservation | None = Field(
        None, title='TrajectoryStepsItemObservation'
    )
    metrics: TrajectoryStepsItemMetrics | None = Field(
        None, title='TrajectoryStepsItemMetrics'
    )
    extra: dict[str, Any] | None = None


class TrajectoryFinalMetrics(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    total_prompt_tokens: int | None = None
    total_completion_tokens: int | None = None
    total_cached_tokens: int | None = None
    total_cost_usd: float | None = None
    total_steps: int | None = None
    extra: dict[str, Any] | None = None


class Trajectory(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    schema_version: Literal['ATIF-v1.6']
    session_id: str
    agent: TrajectoryAgent = Field(..., title='TrajectoryAgent')
    steps: list[TrajectoryStepsItem]
    notes: str | None = None
    final_metrics: TrajectoryFinalMetrics | None = Field(
        None, title='TrajectoryFinalMetrics'
    )
    extra: dict[str, Any] | None = None


class TrajectoryImportSettings(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    format: Literal['eto', 'agenttraj', 'agent-r', 'atif', 'openai', 'trl', 'axolotl', 'llama-factory', 'xtuner', 'fastchat', 'parquet'] = (
        Field(..., examples=['agenttraj'])
    )
    environment: str | None = Field(
        None,
        description='The environment of the rows; needed if the rows do not name it themselves.',
    )
    data: str | None = Field(
        None,
        description='The data pack that the tasks are from, by digest or name, so that they meet those of runs that play it. Default: the one that a run would play.',
    )
    method: str | None = Field(
        None,
        description='The method of the rows. Default: as the rows say, else `expert`.',
    )
    model: str | None = Field(
        None,
        description='The model of the rows. Default: as the rows say, else `unknown`.',
    )
    reward: float = Field(..., description='The reward of rows that state none.')
    reward_scale: float | None = Field(
        None,
        description='The largest reward in the rows: they are divided by it. Default: 1; 100 for ScienceWorld in Agent-R’s files.',
    )
    success_at: float = Field(
        ..., description='The least reward of a success, after scaling.'
    )
    head: int | None = Field(
        None,
        description='Number of messages before the first answer of the trajectory: instructions, examples, the first observation. Default: found by rule.',
    )


class TrajectoryRejection(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    file: str | None
    line: int = Field(
        ..., description='The line of the file in which the row begins, from 1.'
    )
    row: int = Field(..., description='The number of the row in the import, from 1.')
    field: str | None = Field(..., description='The wrong field of the row, as a path.')
    reason: str


class TrajectoryRejectionList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[TrajectoryRejection]
    has_more: bool
    first_id: str | None
    last_id: str | None


class TranscriptHitSnippetItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    text: str
    match: bool = Field(..., description='True if this part matches the search.')


class TranscriptHit(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str = Field(
        ...,
        description='Its position: run, episode, and the number of the passage in the episode.',
    )
    object: Literal['transcript_hit']
    run: str
    run_name: str | None
    episode: str
    task: str
    environment: str
    method: str
    outcome: Literal['succeeded', 'failed', 'limited', 'errored', 'cancelled'] = (
        Field(..., description='The end of the episode.')
    )
    reward: float | None
    success: bool | None
    node: int | None = Field(
        ...,
        description='The node of the tree that it is about; for a played answer, the node it led to. Null if the episode has no tree.',
    )
    kind: Literal['observation', 'answer', 'note'] = Field(
        ...,
        description='`observation`: the environment’s output at a node. `answer`: the policy’s answer, played or not. `note`: another text of a method, such as a reflection, a verdict, an argument of a debate or a plan.',
    )
    role: str | None = Field(
        ...,
        description='The role that answered, such as `policy` or `value`; null for observations.',
    )
    finish_reason: str | None = Field(
        ..., description='In the words of the endpoint, if it gave one.'
    )
    snippet: list[TranscriptHitSnippetItem] = Field(
        ...,
        description='The passage around the match, split into matching and other parts. Plain text.',
    )


class TranscriptHits(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[TranscriptHit]
    has_more: bool
    first_id: str | None
    last_id: str | None
    runs: int = Field(
        ...,
        description='Runs that pass the filters and that this page and those after it look at.',
    )
    more_runs: bool = Field(
        ..., description='There are older runs than these, which later pages look at.'
    )
    not_indexed: int = Field(
        ...,
        description='Ended episodes of these runs that are not in the index yet, and so in no answer. Each search indexes some of them.',
    )
    cut_episodes: int = Field(
        ...,
        description='Episodes of these runs that are too long to be indexed whole: their last passages are not found.',
    )


class TreeMessagesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    role: Literal['system', 'user', 'assistant']
    content: str
    reasoning: str | None = None


class TreeNodeObservationItemValue(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    type: Literal['text']
    text: str


class TreeNode(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    parent: int | None
    depth: int
    action: str | None = Field(
        ..., description='The action that led here; null at the root.'
    )
    message: str | None = Field(
        ..., description='The model answer the action was read from.'
    )
    reasoning: str | None = Field(
        None,
        description='The model’s thoughts beside the answer of an imported trajectory. Not learned.',
    )
    observation: list[TreeNodeObservationItemValue | Picture]
    reward: float = Field(
        ..., description='The reward of the step that led here; 0 at the root.'
    )
    terminal: bool = Field(
        ...,
        description='Nothing is left to explore below: the episode ended here, or every child is terminal.',
    )
    done: bool = Field(..., description='The environment ended the task here.')
    disaster: bool = Field(
        ..., description='The environment punished the step with a negative reward.'
    )
    valid: bool | None = Field(
        None,
        description='True if the environment understood the action and could take it.',
    )
    progress: float | None = Field(
        None, description='The best share of the goal so far, 0 to 1.'
    )
    visits: int
    value: float = Field(
        ...,
        description='The mean of the values backed up through the node; 0 without visits.',
    )
    prior: float
    primitives: list[PrimitiveStep] | None = Field(
        None,
        description='Environment steps of the action, if it is a learned action or a program; a node without them is one step.',
    )
    state_hash: str | None
    state_of: int | None = Field(
        None,
        description='The node whose state this one shares, if its action did not reach the environment: it went back there, or paused. Absent: the state is its own.',
    )


class Usage(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    model_calls: int
    input_tokens: int
    cached_tokens: int | None = Field(
        None,
        description='Of the input tokens, those in the endpoint’s cache; absent if there were none.',
    )
    output_tokens: int
    reasoning_tokens: int | None = Field(
        None,
        description='Of the output tokens, those of reasoning that the answer does not show; absent if there were none.',
    )
    cost: float | None


class UsedNote(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    side: Literal['policy', 'value', 'task'] = Field(
        ..., description='The reader of the note: who acts, who judges, or everybody.'
    )
    run: str = Field(
        ...,
        description='The run that wrote it: this one, or the one whose memory it reads.',
    )
    episode: str = Field(..., description='The episode that wrote it.')
    task: str
    note: str
    similarity: float | None = Field(
        ...,
        description='Similarity of its situation to this one, if the lookup used it.',
    )


class WeightPart(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    sha256: str
    bytes: int
    object: Literal['weight_part']


class ApiKey(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['api_key']
    tenant: str = Field(
        ..., description='The owner of runs, datasets and keys.', examples=['default']
    )
    name: str
    scopes: list[Scope]
    created_at: AwareDatetime
    expires_at: AwareDatetime | None


class ApiKeyList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[ApiKey]
    has_more: bool
    first_id: str | None
    last_id: str | None


class ApiKeyRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str = Field(..., description='A label for the purpose of the key.')
    scopes: list[Scope]
    expires_in: int | None = Field(
        None, description='Seconds; by default it never expires.'
    )


class ComparisonRunsItemDifferenceValue(BaseModel):
    """
    This run minus the baseline, paired by task; null for the baseline.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    success_rate: Estimate
    reward: Estimate
    mean_model_calls: Estimate
    mean_tokens: Estimate
    mean_cost: Estimate
    won: int
    lost: int
    tied: int
    won_tasks: list[str] = Field(..., description='The first hundred.')
    lost_tasks: list[str] = Field(..., description='The first hundred.')
    sign_test: ComparisonRunsItemDifferenceValueSignTest = Field(
        ...,
        description='Exact and two-sided; with one episode a task, McNemar’s test.',
        title='ComparisonRunsItemDifferenceValueSignTest',
    )


class ComparisonRunsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    run: str
    name: str | None
    method: str
    model: str
    provenance: Provenance
    success_rate: Estimate
    reward: Estimate
    answer_warnings: list[AnswerWarning] = Field(
        ...,
        description='Of the whole run, other tasks included: warnings about its answers.',
    )
    usage: Usage = Field(
        ..., description='Totals of the shared tasks, errors included.'
    )
    learning: Usage = Field(
        ...,
        description='Usage of its learning episodes. They play none of the shared tasks, so no other figure includes it.',
    )
    mean_steps: float | None = Field(
        ..., description='Environment steps of an episode.'
    )
    mean_path_length: float | None = Field(
        ..., description='Actions of the agent on the path of an episode’s answer.'
    )
    mean_model_calls: Estimate = Field(..., description='Calls of an episode.')
    mean_tokens: Estimate = Field(
        ..., description='Tokens of an episode, input and output.'
    )
    mean_cost: Estimate = Field(
        ...,
        description='US dollars of an episode; without a mean if prices are missing.',
    )
    cost_per_success: float | None = Field(
        ...,
        description='All that the shared tasks took, by the episodes that succeeded.',
    )
    on_front: bool = Field(
        ...,
        description='No other of the runs is as good or better for as little or less money, and better in one.',
    )
    difference: ComparisonRunsItemDifferenceValue | None = Field(
        ...,
        description='This run minus the baseline, paired by task; null for the baseline.',
    )


class Comparison(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['comparison']
    simulated: bool
    shared_tasks: int
    settings: list[ComparisonSettingsItem] = Field(
        ..., description='Differences between the requests, except names and labels.'
    )
    warnings: list[ComparisonWarningsItem] = Field(
        ...,
        description='Terms on which the runs did not meet: a difference may come from them, and not from the method or the model.',
    )
    runs: list[ComparisonRunsItem]


class CreatedApiKey(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['api_key']
    tenant: str = Field(
        ..., description='The owner of runs, datasets and keys.', examples=['default']
    )
    name: str
    scopes: list[Scope]
    created_at: AwareDatetime
    expires_at: AwareDatetime | None
    key: str = Field(
        ..., description='Send it as `Authorization: Bearer …`. It is shown this once.'
    )


class CurvePointsItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    budget: float = Field(..., description='Of one episode.')
    success_rate: Estimate
    reward: Estimate
    ended: float = Field(
        ..., description='The share of episodes that had come to their end by then.'
    )


class Curve(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['curve']
    run: str
    name: str | None
    method: str
    model: str
    simulated: bool
    provenance: Provenance
    over: Literal['calls', 'tokens', 'cost'] = Field(
        ...,
        description='The unit of the budget: model calls, tokens of input and output, or US dollars.',
    )
    episodes: CurveEpisodes = Field(
        ..., description='Over how many episodes the points are.', title='CurveEpisodes'
    )
    tasks: int
    points: list[CurvePointsItem]


class Curves(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['curves']
    simulated: bool
    over: Literal['calls', 'tokens', 'cost'] = Field(
        ...,
        description='The unit of the budget: model calls, tokens of input and output, or US dollars.',
    )
    shared_tasks: int
    curves: list[Curve]


class DatasetRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str | None = None
    runs: list[str]
    trajectories: list[str] = Field(
        ..., description='Imported trajectories, by their ids (GET /v1/trajectories).'
    )
    experts: list[str] = Field(
        ...,
        description='Runs or imported trajectories that serve as an expert. `preference` prefers them if they are better; no other kind reads them.',
    )
    mix: DatasetRequestMix | None = Field(
        None,
        description='General conversations to mix in, drawn by the seed, so that a model keeps its abilities beside the tasks. For kinds whose rows are conversations.',
        title='DatasetRequestMix',
    )
    kind: Literal['sft', 'preference', 'step-preference', 'revision', 'exploration', 'unpaired', 'process-reward', 'prompts']
    parameters: dict[str, Any] = Field(
        ...,
        description='Of the kind; GET /v1/dataset-kinds lists them with their defaults.',
    )
    format: Literal['openai', 'trl', 'llama-factory', 'axolotl', 'xtuner', 'fastchat', 'agenttraj', 'agent-r', 'parquet']
    model: RoleChoice | None = Field(
        None,
        description='The model to ask, for kinds that ask one. Fields it omits come from the first run’s `verifier`, then from its `model`.',
    )
    limits: RunLimits = Field(..., description='Limits for asking the model.')
    splits: dict[constr(pattern=r'^[a-z][a-z0-9_]{0,31}$'), float] | None = Field(
        None,
        description='Shares of the tasks, such as `{"train": 0.9, "validation": 0.1}`; no task, and no prompt, is in two. Default: all rows are `train`.',
    )
    seed: int
    gates: DatasetGates
    scores: list[ScoreFilter] | None = Field(
        None,
        description='Scores that episodes of `runs` must have, and within which bounds; the others are left out and counted. They are read when the dataset is planned. Imported trajectories have none; `experts` are not filtered.',
    )
    pictures: Literal['show', 'leave_out'] | None = Field(
        None,
        description='`show`: rows show the pictures of the prompts. `leave_out`: rows are texts alone, and the dataset has the number of pictures they lack. Default: `show` if the first episodes of a run showed pictures. The API then refuses a format or kind that cannot hold them.',
    )
    rows_per_file: int


class DatasetRequestInput(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str | None = None
    runs: list[str] | None = []
    trajectories: list[str] | None = Field(
        [], description='Imported trajectories, by their ids (GET /v1/trajectories).'
    )
    experts: list[str] | None = Field(
        [],
        description='Runs or imported trajectories that serve as an expert. `preference` prefers them if they are better; no other kind reads them.',
    )
    mix: DatasetRequestInputMix | None = Field(
        None,
        description='General conversations to mix in, drawn by the seed, so that a model keeps its abilities beside the tasks. For kinds whose rows are conversations.',
        title='DatasetRequestInputMix',
    )
    kind: (
        Literal[
            'sft',
            'preference',
            'step-preference',
            'revision',
            'exploration',
            'unpaired',
            'process-reward',
            'prompts',
        ]
        | None
    ) = 'sft'
    parameters: dict[str, Any] | None = Field(
        {},
        description='Of the kind; GET /v1/dataset-kinds lists them with their defaults.',
    )
    format: (
        Literal[
            'openai',
            'trl',
            'llama-factory',
            'axolotl',
            'xtuner',
            'fastchat',
            'agenttraj',
            'agent-r',
            'parquet',
        ]
        | None
    ) = 'openai'
    model: RoleChoice | None = Field(
        None,
        description='The model to ask, for kinds that ask one. Fields it omits come from the first run’s `verifier`, then from its `model`.',
    )
    limits: RunLimits | None = Field(
        {}, description='Limits for asking the model.', validate_default=True
    )
    splits: dict[constr(pattern=r'^[a-z][a-z0-9_]{0,31}$'), float] | None = Field(
        None,
        description='Shares of the tasks, such as `{"train": 0.9, "validation": 0.1}`; no task, and no prompt, is in two. Default: all rows are `train`.',
    )
    seed: int | None = 0
    gates: DatasetGatesInput | None = Field({}, validate_default=True)
    scores: list[ScoreFilter] | None = Field(
        None,
        description='Scores that episodes of `runs` must have, and within which bounds; the others are left out and counted. They are read when the dataset is planned. Imported trajectories have none; `experts` are not filtered.',
    )
    pictures: Literal['show', 'leave_out'] | None = Field(
        None,
        description='`show`: rows show the pictures of the prompts. `leave_out`: rows are texts alone, and the dataset has the number of pictures they lack. Default: `show` if the first episodes of a run showed pictures. The API then refuses a format or kind that cannot hold them.',
    )
    rows_per_file: int | None = 10000


class DatasetRow(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str = Field(..., description='Its number among the rows of the split, from 0.')
    object: Literal['dataset_row']
    data: dict[str, Any] = Field(
        ...,
        description='The row as its file holds it, but with the name of a picture’s file in place of its bytes.',
    )
    parts: list[DatasetRowPart] = Field(
        ..., description='The same row as its trainer takes it, turn by turn.'
    )
    lineage: DatasetRowLineage = Field(..., title='DatasetRowLineage')


class DatasetRowList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[DatasetRow]
    has_more: bool
    first_id: str | None
    last_id: str | None


class EndpointTest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['endpoint_test']
    endpoint: str
    model: str
    ok: bool = Field(..., description='True if it answered.')
    latency: float = Field(
        ..., description='Milliseconds, the start of a server included.'
    )
    answer: str | None
    finish_reason: str | None
    usage: EndpointTestUsageValue | None = Field(
        ..., description='Usage of all questions of the test; no run includes it.'
    )
    features: list[EndpointFeature] | None = Field(
        ...,
        description='Null if the request did not ask for them, or if the endpoint did not answer at all.',
    )
    warnings: list[EndpointWarning] | None = Field(
        None, description='Signs that it is set up wrong; left out if there are none.'
    )
    error: str | None = Field(
        ..., description="The failure, in the provider's words if there are any."
    )


class Environment(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['environment']
    description: str
    snapshot: Literal['native', 'replay', 'none']
    deterministic: bool
    success_threshold: float
    default_max_steps: int
    reward_range: list[float] | None = Field(
        None,
        description='The least and the most reward that a step may answer. Absent: any finite number.',
        max_length=2,
    )
    max_observation_bytes: int | None = Field(
        None, description='Bytes that an observation may have. Absent: 2 MiB.'
    )
    step_time_limit: float | None = Field(
        None,
        description='Seconds that a reset or a step may take, of an environment in a module. Absent there: 30.',
    )
    memory_limit_mb: int | None = Field(
        None,
        description='Megabytes of heap of each process that plays an environment in a module. Absent there: 512.',
    )
    splits: dict[str, int] = Field(..., description='Number of tasks in each split.')
    types: list[str]
    roles: list[Literal['judge', 'captioner']] | None = Field(
        None,
        description='Whom it may have asked, as its tasks and options decide: runs name them. Absent: no model.',
    )
    hosting: Literal['worker', 'host'] = Field(
        ...,
        description='Default host of the environment if a run names none: inside the workers, or on hosts only.',
    )
    data: str | None = Field(
        ...,
        description='The digest of the data pack that its tasks are from; null: they come along with it.',
    )
    options: dict[str, Any] | None = Field(
        ...,
        description='JSON Schema of the rules that a run may set in `environment_options`, with the defaults; null: none.',
    )
    generators: list[Generator] | None = Field(
        None,
        description='Generators that make further tasks over the built-in data. Absent: there are none.',
    )


class EnvironmentList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Environment]
    has_more: bool
    first_id: str | None
    last_id: str | None


class EpisodeCall(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    key: str = Field(..., description='The effect, such as `node/4/value/verdicts`.')
    asked: str = Field(
        ..., description='Recipient of the call: `policy`, or a role of the run.'
    )
    model: str | None = Field(
        ...,
        description='Endpoint and model, as `endpoint/model`; null if the journal does not say.',
    )
    answers: list[str]
    endings: list[EpisodeCallEndingsItem] = Field(
        ...,
        description='The ending of each answer, in their order; empty if the model answered with a number.',
    )
    usage: Usage | None
    at: AwareDatetime = Field(..., description='When its answer was committed.')
    elapsed: float = Field(
        ...,
        description='Seconds of working time until then, downtime and queueing left out.',
    )
    node: int | None = Field(
        ...,
        description='The node that it is about; null in an episode that has no tree.',
    )
    prompt: list[int] = Field(
        ..., description='Its prompt: positions in `messages`, in their order.'
    )


class EpisodeJudgement(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str = Field(..., description='Unique within the run.')
    object: Literal['judgement']
    run: str
    episode: str
    name: str = Field(..., description='The name of a score.', examples=['helpful'])
    node: int | None = Field(
        ...,
        description='The position in the tree of the node whose action is judged; null: the whole episode is.',
    )
    by: PersonJudge | Scorer
    value: float | None = Field(
        ..., description='From 0, the worst, to 1, the best; null: the scorer failed.'
    )
    error: str | None = Field(
        ..., description='The reason for a missing value; null if there is a value.'
    )
    note: str | None = Field(..., description='Words about it, such as its reason.')
    at: AwareDatetime = Field(
        ...,
        description='When it was given; a later one of the same judge takes its place.',
    )
    end: str | None = Field(
        None,
        description='A digest of the judged end of the episode. An episode that continued after the judgement has another.',
    )


class EpisodeResult(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    status: Literal['succeeded', 'failed', 'limited', 'errored', 'cancelled']
    reward: float | None
    success: bool | None
    limit: str | None = Field(..., description='The limit that ended the episode.')
    error: EpisodeResultErrorValue | None
    steps: int = Field(..., description='Environment steps taken.')
    nodes: int = Field(..., description='Nodes of the tree, the root included.')
    path_length: int = Field(
        ..., description='Actions on the path that gave the reward.'
    )
    primitive_steps: int = Field(
        ...,
        description='Environment steps on that path. A learned action may take several, so there can be more steps than actions.',
    )
    progress_rate: float | None = Field(
        ...,
        description='The best share of the goal reached on that path, 0 to 1 (AgentBoard, section 3.1).',
    )
    grounding_accuracy: float | None = Field(
        ...,
        description='The share of its actions that were understood and possible (AgentBoard, section 3.2).',
    )
    invalid_actions: int | None = Field(
        ...,
        description='Number of misunderstood or impossible actions, over the whole tree; null if the episode is older than this count.',
    )
    unparsable: int = Field(
        ...,
        description='Answers of judges and the like that could not be read and were asked for again.',
    )
    answers: AnswerCounts | None = Field(
        None,
        description='All answers of models, counted by fault; absent if the episode is older than these counts.',
    )
    usage: Usage = Field(..., description='Calls whose answers the episode used.')
    working_seconds: float
    attempt: int


class ExtendRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    method: dict[str, Any] | None = Field(
        None, description='Method parameters to replace, such as `{"iterations": 8}`.'
    )
    limits: RunLimits | None = None
    episode_limits: EpisodeLimits | None = None


class GrowthStep(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    at: AwareDatetime = Field(..., description='When it was committed.')
    elapsed: float = Field(
        ...,
        description='Seconds of working time until then, downtime and queueing left out.',
    )
    usage: Usage = Field(..., description='All that the episode had used by then.')
    events: list[GrowthEvent]


class JudgementList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[EpisodeJudgement]
    has_more: bool
    first_id: str | None
    last_id: str | None


class LeaderboardCell(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    entry: str
    environment: str
    runs: list[LeaderboardCellRunsItem]
    complete: bool = Field(..., description='True if all its runs have ended.')
    comparable: bool = Field(
        ...,
        description='True if it plays the same tasks as its neighbours; if false, no test and no front includes it.',
    )
    note: str | None = Field(
        ..., description='The reason for leaving it out of comparisons, or its gaps.'
    )
    episodes: int
    scored: int = Field(
        ..., description='Episodes with a reward: the others are in no rate.'
    )
    errored: int = Field(..., description='Ended by a fault, without a reward.')
    unscored_tasks: int = Field(
        ..., description='Tasks of which no episode has a reward.'
    )
    success_rate: Estimate
    reward: Estimate
    mean_model_calls: Estimate
    mean_tokens: Estimate
    mean_cost: Estimate
    cost_per_success: float | None
    usage: Usage = Field(..., description='The total, errors included.')
    answer_warnings: list[AnswerWarning]
    on_front: bool = Field(
        ...,
        description='No other cell of the environment is as good or better for as little or less money, and better in one.',
    )


class LeaderboardEnvironment(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    label: str = Field(
        ...,
        description='The environment, with the settings that distinguish it from the others.',
    )
    environment: str
    provenance: Provenance
    settings: dict[str, str | float | bool | None] = Field(
        ...,
        description='Settings that differ from other environments: data, options, limits of episodes.',
    )
    tasks: int = Field(..., description='Of the comparable cells: each plays these.')


class LoopRequestTasks(BaseModel):
    """
    No task may be in two of them.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    train: TaskSelection
    dev: TaskSelection | None = Field(
        None,
        description='By which one of several checkpoints is chosen; needed for `candidates` above 1.',
    )
    test: TaskSelection = Field(
        ...,
        description='Played once in each round, by its chosen model; no row is ever made of them.',
    )


class LoopRequestInputTasks(BaseModel):
    """
    No task may be in two of them.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    train: TaskSelectionInput | None = Field({'split': 'train'}, validate_default=True)
    dev: TaskSelectionInput | None = Field(
        None,
        description='By which one of several checkpoints is chosen; needed for `candidates` above 1.',
    )
    test: TaskSelectionInput | None = Field(
        {'split': 'test'},
        description='Played once in each round, by its chosen model; no row is ever made of them.',
        validate_default=True,
    )


class LoopRound(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    round: int
    start: str | None = Field(
        ...,
        description='The registered model that its training starts from; null: the base.',
    )
    model: str | None = Field(
        ...,
        description='The registered model that came of it; null: none, or the base.',
    )
    policy: LoopRoundPolicyValue | None = Field(
        ..., description='The endpoint of this model, once the service serves it.'
    )
    evaluation: str | None = Field(..., description='The run on the test tasks.')
    stages: list[LoopStage]
    outcome: RoundOutcome | None = Field(
        ..., description='Null of round 0, and until the round has ended.'
    )


class LoopSettings(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    rounds: int | None = Field(
        None, description='Rounds after round 0, which measures the start.'
    )
    warm_start: Literal['sft', 'none'] | None = Field(
        None,
        description='`sft`: round 0 trains the base on the rows of the experts; `none`: the base is the start.',
    )
    start_from: (
        Literal['base', 'previous', 'best']
        | list[Literal['base', 'previous', 'best']]
        | None
    ) = Field(None, description='Which model the training of a round starts from: the base of the loop, the model of the round before, or the best so far.')
    explore_with: (
        Literal['previous', 'best'] | list[Literal['previous', 'best']] | None
    ) = Field(None, description='Which model explores in a round.')
    method: MethodChoice | None = Field(
        None, description='The method for the training tasks.'
    )
    samples: int | list[int] | None = Field(
        None, description='Number of times a round plays each training task.'
    )
    temperature: float | list[float] | None = Field(None, description='Of exploration.')
    evaluation_method: MethodChoice | None = Field(
        None, description='The method for the test and dev tasks.'
    )
    evaluation_temperature: float | None = None
    prompts: dict[constr(min_length=1, max_length=100), str] | None = Field(
        None,
        description='Texts in place of the prompts of `method`, by their ids; each method lists its own.',
    )
    evaluation_prompts: dict[constr(min_length=1, max_length=100), str] | None = Field(
        None,
        description='The same for `evaluation_method`; absent: those in `prompts`, if both methods are the same.',
    )
    min_reward: float | list[float] | None = Field(
        None,
        description='The least reward to learn from; absent: only attempts that solved their task.',
    )
    alpha: float | list[float] | None = Field(
        None,
        description='The reward that a good path must reach to be the end of a revision.',
    )
    beta: float | list[float] | None = Field(
        None,
        description='By how much a good path must exceed the bad one that it revises.',
    )
    margin: float | list[float] | None = Field(
        None, description='By how much the two sides of a pair must differ.'
    )
    kind_parameters: dict[str, Any] | None = Field(
        None,
        description='Further parameters of the dataset kind; each kind lists its own.',
    )
    expert_rows: bool | list[bool] | None = Field(
        None,
        description='True to train on the rows of the experts too, beside those of the round.',
    )
    expert_share: float | list[float] | None = Field(
        None,
        description='Which part of the rows of an epoch the experts give; absent: all of their rows, once.',
    )
    earlier_rounds: Literal['none', 'all'] | list[Literal['none', 'all']] | None = (
        Field(
            None,
            description='`all`: also train on the datasets of earlier rounds, beside that of the round.',
        )
    )
    earlier_share: float | list[float] | None = Field(
        None,
        description='Which part of the rows of an epoch earlier rounds give; absent: all of their rows, once.',
    )
    general_share: float | list[float] | None = Field(
        None,
        description='Which part of the rows of a dataset the conversations named in `general` make up.',
    )
    learning_rate: float | list[float] | None = None
    epochs: float | list[float] | None = Field(
        None, description='Passes over the rows.'
    )
    dpo_beta: float | list[float] | None = Field(
        None, description='Strength with which DPO keeps the model close to its start.'
    )
    hyperparameters: dict[str, Any] | None = Field(
        None,
        description='Further hyperparameters of every round; each recipe lists its own.',
    )
    warm_start_hyperparameters: dict[str, Any] | None = Field(
        None,
        description='Hyperparameters of the training on the rows of the experts, and of the control.',
    )


class Message(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    role: Literal['system', 'user', 'assistant']
    content: str
    pictures: list[Picture] | None = None


class Method(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['method']
    description: str
    source: str = Field(
        ..., description='The paper, and the part of it that this method covers.'
    )
    module: MethodModule | None = Field(
        None,
        description='The code of an added method; absent for those that come with Espalier.',
        title='MethodModule',
    )
    parameters: dict[str, Any] = Field(
        ...,
        description='JSON Schema of the parameters, with their defaults; with `anyOf` if one of them decides which others there are.',
    )
    branches: bool = Field(
        ...,
        description='True if it goes back to earlier states; not every environment supports that.',
    )
    roles: list[Literal['value', 'debate', 'reflection', 'learner', 'verifier', 'judge', 'captioner', 'embedding']] = (
        Field(
            ...,
            description='Whom it can ask beside the policy, as its parameters decide.',
        )
    )
    writes: Literal['memory', 'library'] | None = Field(
        ...,
        description='The form in which its episodes learn for each other and for later runs.',
    )
    extendable: list[str] = Field(
        ...,
        description='Parameters that extending a run can raise, as far as its other parameters allow it.',
    )
    prompts: list[Prompt] = Field(..., description='Every text that it shows.')


class MethodList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Method]
    has_more: bool
    first_id: str | None
    last_id: str | None


class ModelCall(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    key: str = Field(..., description='The effect, such as `node/4/value/verdicts`.')
    asked: str = Field(
        ..., description='Recipient of the call: `policy`, or a role of the run.'
    )
    model: str | None = Field(
        ...,
        description='Endpoint and model, as `endpoint/model`; null if the journal does not say.',
    )
    messages: list[Message] = Field(..., description='The prompt as it was sent.')
    answers: list[str]
    endings: list[ModelCallEndingsItem] = Field(
        ...,
        description='The ending of each answer, in their order; empty if the model answered with a number.',
    )
    usage: Usage | None


class ModelLineage(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['model_lineage']
    model: str
    steps: list[ModelLineageStep] = Field(
        ...,
        description='The model, then its parent, and so on to the first registered one.',
    )
    children: list[str] = Field(..., description='Registered models trained from it.')


class ModelServer(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str = Field(..., description='The registered model.')
    object: Literal['model_server']
    name: str = Field(..., description='The name of the model.')
    endpoint: str = Field(..., description='The endpoint under which it is asked.')
    state: Literal['stopped', 'starting', 'running', 'failed']
    note: str | None = Field(
        ..., description='The reason why a starting server waits, or why it failed.'
    )
    log_tail: list[str] = Field(
        ..., description='The last lines that a server wrote that failed.'
    )
    driver: Literal['llama-cpp', 'vllm', 'sglang', 'command', 'remote']
    settings: ServeRequest
    address: str | None = Field(
        ...,
        description='The server’s address on the machine of the service. If a service keeps the model: that service.',
    )
    restarts: int = Field(
        ..., description='Number of restarts after it ended by itself.'
    )
    created_at: AwareDatetime
    started_at: AwareDatetime | None
    used_at: AwareDatetime | None


class ModelServerList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[ModelServer]
    has_more: bool
    first_id: str | None
    last_id: str | None


class NodeDetailNode(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    parent: int | None
    depth: int
    action: str | None = Field(
        ..., description='The action that led here; null at the root.'
    )
    message: str | None = Field(
        ..., description='The model answer the action was read from.'
    )
    reasoning: str | None = Field(
        None,
        description='The model’s thoughts beside the answer of an imported trajectory. Not learned.',
    )
    reward: float = Field(
        ..., description='The reward of the step that led here; 0 at the root.'
    )
    terminal: bool = Field(
        ...,
        description='Nothing is left to explore below: the episode ended here, or every child is terminal.',
    )
    done: bool = Field(..., description='The environment ended the task here.')
    disaster: bool = Field(
        ..., description='The environment punished the step with a negative reward.'
    )
    valid: bool | None = Field(
        None,
        description='True if the environment understood the action and could take it.',
    )
    progress: float | None = Field(
        None, description='The best share of the goal so far, 0 to 1.'
    )
    visits: int
    value: float = Field(
        ...,
        description='The mean of the values backed up through the node; 0 without visits.',
    )
    prior: float
    primitives: list[PrimitiveStep] | None = Field(
        None,
        description='Environment steps of the action, if it is a learned action or a program; a node without them is one step.',
    )
    state_hash: str | None
    state_of: int | None = Field(
        None,
        description='The node whose state this one shares, if its action did not reach the environment: it went back there, or paused. Absent: the state is its own.',
    )


class RecordScores(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str = Field(..., description='The name of a score.', examples=['helpful'])
    by: ScorerInput
    judgements: list[RecordScoresJudgementsItem]


class RegisteredModel(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['registered_model']
    created_at: AwareDatetime
    name: str
    parent: str | None = Field(
        ..., description='The registered model that it was trained from.'
    )
    base: RegisteredModelBaseValueValue | RegisteredModelBaseValueValue1 | None = Field(
        ...,
        description='The model from outside of the registry that it was trained from, or that it is.',
    )
    training: str | None = Field(..., description='The training that made it.')
    datasets: list[str] = Field(..., description='The datasets that it was trained on.')
    runs: list[str] = Field(
        ..., description='The runs that these datasets were built from.'
    )
    format: Literal['safetensors', 'gguf', 'adapter', 'remote']
    tokenizer: str | None = Field(
        ...,
        description='The file that holds its tokenizer, as a `tokenizer.json`; null: none that can be read here.',
    )
    chat_template: str | None = Field(
        ..., description='The Jinja template that makes a prompt of messages.'
    )
    context_length: int | None = Field(
        ..., description='Tokens of prompt and answer together.'
    )
    licence: str | None = Field(..., description='Its licence, as far as it is known.')
    remote: RemoteModel | None = Field(
        ...,
        description='The service that keeps it, if it has no files here; null: its files are here.',
    )
    files: list[ModelFile]
    bytes: int = Field(..., description='Of all files together.')
    endpoint: str | None = Field(
        ..., description='The endpoint under which it is asked; null: it is not served.'
    )


class RegisteredModelList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[RegisteredModel]
    has_more: bool
    first_id: str | None
    last_id: str | None


class Report(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['report']
    run: str
    simulated: bool = Field(
        ...,
        description='The numbers come from the simulated model: they prove plumbing, not quality.',
    )
    provenance: Provenance = Field(..., description='The data behind the numbers.')
    episodes: EpisodeCounts
    learning_episodes: int = Field(
        ...,
        description='Episodes that learned for the others: they are in no mean and in no task.',
    )
    success_rate: Estimate
    reward: Estimate
    progress_rate: Estimate = Field(
        ...,
        description='Share of the goal that the answers reached (AgentBoard, section 3.1).',
    )
    grounding_accuracy: Estimate = Field(
        ...,
        description='The share of actions that were understood and possible, by episode (AgentBoard, section 3.2).',
    )
    draws: list[ReportDrawsItem] = Field(
        ...,
        description='For k = 1, 2, 4, 8 and so on, up to the fewest scored episodes of a task that has any.',
    )
    invalid_actions: ReportInvalidActions = Field(
        ...,
        description='Actions that were not understood or not possible, in whole trees.',
        title='ReportInvalidActions',
    )
    mean_steps: float | None = Field(
        ..., description='As every `mean_…` here: of one episode.'
    )
    mean_path_length: float | None = Field(
        ...,
        description='Actions of the agent on the path that gave the reward; a learned action is one.',
    )
    mean_primitive_steps: float | None = Field(
        ...,
        description='Environment steps on that path, those inside learned actions counted one by one.',
    )
    mean_nodes: float | None
    mean_model_calls: float | None
    mean_tokens: float | None
    mean_cached_tokens: float | None = Field(
        ...,
        description='Of the input tokens, those that the endpoint had in its cache.',
    )
    mean_reasoning_tokens: float | None = Field(
        ...,
        description='Of the output tokens, those spent on reasoning that the answers do not show.',
    )
    mean_cost: float | None
    mean_working_seconds: float | None = Field(
        ..., description='Without queueing and downtime.'
    )
    by_type: list[TaskGroupReport] | None = Field(
        ...,
        description='By the environment’s types of task; null if the service can no longer open the environment over its data.',
    )
    by_difficulty: list[TaskGroupReport] | None = Field(
        ...,
        description='By the least steps of a solution, in bands that double, as far as they are known; null as `by_type` is.',
    )
    unparsable: int = Field(
        ...,
        description='Answers of judges and the like that could not be read and were asked for again.',
    )
    answers: AnswerCounts | None = Field(
        ...,
        description='All answers of models, counted by fault, over all ended episodes that counted them; null if none did.',
    )
    answer_warnings: list[AnswerWarning]
    warnings: list[EndpointWarning] | None = Field(
        None,
        description='Signs that an endpoint is set up wrong; left out if there are none.',
    )
    usage: Usage
    lost_calls: int
    bounds: BoundedUsage | None = Field(
        None,
        description='Of `usage`, the calls counted at their upper bound: their answer was lost, and no log of the endpoint says more. Left out if there are none.',
    )
    errors: list[ReportErrorsItem]
    limits: dict[str, int] = Field(
        ..., description='Number of episodes that each limit ended.'
    )
    tasks: list[ReportTasksItem]
    scores: list[ScoreFigures] | None = Field(
        None,
        description='Judgements of people and scorers beside the reward, by the names of the scores; absent: none.',
    )


class ReportedRound(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    round: int
    model: str | None
    evaluation: ReportedRoundEvaluationValue | None
    minus_start: LoopDifference | None = Field(
        ..., description='Minus round 0; null of round 0 itself.'
    )
    outcome: RoundOutcome | None
    rows: int | None = Field(..., description='Of the dataset that the round built.')
    tokens: int | None
    loss: float | None = Field(..., description='The last of its training.')
    accuracy: float | None
    steps: int | None
    cost: float | None
    seconds: float
    stages: list[ReportedRoundStagesItem]


class ResumeRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    limits: RunLimits | None = None


class ResumeTraining(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    limits: TrainingLimits | None = Field(
        None, description='New caps, in place of the old ones.'
    )


class RubricScoring(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['scoring']
    run: str
    name: str = Field(..., description='The name of a score.', examples=['helpful'])
    by: Scorer
    judge_run: str | None = Field(
        ...,
        description='The run that asks the judge: its cost, its limits, its prompts and answers. Null: none was needed.',
    )
    status: Literal['going', 'paused', 'ended', 'failed'] = Field(
        ...,
        description='`paused`: at a limit, or because the model does not answer; the judgements until then are stored.',
    )
    reason: str | None = Field(
        ..., description='The reason for the pause or failure, and its remedy.'
    )
    total: int = Field(..., description='Episodes that were to have a score.')
    skipped: int = Field(
        ..., description='Those that had one of the same judge before.'
    )
    scored: int
    errors: int = Field(
        ...,
        description='Those for which the judge gave no score that can be read, or did not answer.',
    )
    usage: Usage | None = Field(
        ..., description='Of the judge’s run; null if that run no longer exists.'
    )


class RubricScoringRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str = Field(..., description='The name of a score.', examples=['helpful'])
    rubric: str = Field(
        ...,
        description='Instructions for the judge in words: the merits behind each score, from 0, the worst, to 10, the best.',
    )
    model: ModelChoiceInput = Field(..., description='The judge.')
    limits: RunLimits | None = Field(
        {},
        description='Limits for the judge; at a limit its run pauses.',
        validate_default=True,
    )
    limit: int | None = Field(
        None, description='Judge only the first so many episodes that reached an end.'
    )
    again: bool | None = Field(
        False,
        description='True to judge again the episodes for which the same judge gave no score before.',
    )


class RunRequest(BaseModel):
    """
    Its `name`, `experiment`, `tags` and `note` are as they were last changed.
    """

    model_config = ConfigDict(
        extra='allow',
    )
    name: str | None = None
    preset: (
        Literal['exact-vwa', 'exact-osworld', 'agent-r', 'eto', 'learnact']
        | ChosenPreset
        | None
    ) = Field(None, description='A paper’s settings in one word; GET /v1/presets lists them. Fields that the body omits, also `method` and the split of the tasks, come from the preset; the stored request has them in full. Fields in the body stay, and `deviations` lists them.')
    environment: str
    tasks: TaskSelection
    method: MethodChoice
    model: ModelChoice
    roles: dict[Literal['value', 'debate', 'reflection', 'learner', 'verifier', 'judge', 'captioner', 'embedding'], RoleChoice] = (
        Field(
            ...,
            description='Models for roles other than the policy. A role takes the fields that it omits from `model`. Without `embedding`, notes match by their words.',
        )
    )
    prompts: dict[constr(min_length=1, max_length=100), str] = Field(
        ...,
        description='Texts in place of the method’s own prompts, by their ids; GET /v1/methods lists them.',
    )
    epochs: int = Field(..., description='Number of times the run plays each task.')
    hosting: Literal['auto', 'worker', 'host'] = Field(
        ...,
        description='Place for the environment: inside the worker, or on hosts. `auto`: inside the worker if it can run there.',
    )
    data: str | None = Field(
        None,
        description='The data pack of the tasks, by digest or name; `builtin`: the built-in data. Default: the newest pack.',
    )
    environment_options: dict[str, Any] | None = Field(
        None,
        description='The environment’s rules to set, such as `{"scoring": "best"}`; GET /v1/environments lists the options with their defaults.',
    )
    seed: int
    max_parallel: int = Field(..., description='Episodes in flight at most.')
    workers: Literal['auto', 'lambda', 'fargate'] | None = Field(
        None,
        description='Workers of a deployment: Lambda’s invocations, or long-lived workers on Fargate, which cost less if a model is slow to answer. `auto`: Lambda, until its model’s answers take 5 s or more on average. Default: the deployment’s setting. A service on one machine ignores this.',
    )
    max_retries: int = Field(
        ..., description='Number of retries of an episode that ended with an error.'
    )
    limits: RunLimits
    episode_limits: EpisodeLimits
    metadata: dict[constr(max_length=64), str]
    experiment: str | None = Field(
        None,
        description='The experiment that it belongs to: a name, which is not to be created before.',
    )
    tags: list[str] | None = Field(None, description='Words to find it by.')
    note: str | None = Field(None, description='Words about it, for people.')


class Run(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['run']
    status: Literal['queued', 'running', 'paused', 'succeeded', 'failed', 'cancelled']
    status_reason: str | None = Field(
        ..., description='The reason for the pause or failure.'
    )
    last_problem: LastProblem | None = Field(
        None,
        description='The problem that keeps calls to its models without an answer, with the next try; null while they get answers, and after the run’s end.',
    )
    created_at: AwareDatetime
    started_at: AwareDatetime | None
    ended_at: AwareDatetime | None
    running_seconds: float = Field(
        ..., description='Time spent running, pauses left out.'
    )
    episodes: EpisodeCounts
    usage: Usage = Field(
        ..., description='Everything paid for, calls whose answer was lost included.'
    )
    lost_calls: int = Field(
        ...,
        description='Paid calls whose answer was lost, for example because a process was killed.',
    )
    bounds: BoundedUsage | None = Field(
        None,
        description='Of `usage`, the calls counted at their upper bound: their answer was lost, and no log of the endpoint says more. Left out if there are none.',
    )
    answers: AnswerCounts | None = Field(
        None,
        description='The answers of the ended episodes; absent if none of those counted them.',
    )
    answer_warnings: list[AnswerWarning] = Field(
        ...,
        description='Warnings about these answers. Each names a fault that at least 1 % of them have; for `unparsable`, at least 10 %.',
    )
    warnings: list[EndpointWarning] | None = Field(
        None,
        description='Signs in its answers that an endpoint is set up wrong; left out if there are none.',
    )
    learning_episodes: int = Field(
        ..., description='Number of its episodes that learn for the others.'
    )
    memory: str | None = Field(
        ..., description='The memory that its episodes write; GET /v1/memories.'
    )
    library: str | None = Field(
        ..., description='The library that its episodes write; GET /v1/libraries.'
    )
    live: bool = Field(
        ...,
        description='Its episodes read each other’s results as they run, so a repeat gives other results.',
    )
    provenance: Provenance = Field(
        ..., description='The data of its tasks at the creation of the run.'
    )
    archived_at: AwareDatetime | None = Field(
        None,
        description='Since when it is archived, so that lists leave it out; absent: it is not.',
    )
    request: RunRequest = Field(
        ...,
        description='Its `name`, `experiment`, `tags` and `note` are as they were last changed.',
        title='RunRequest',
    )
    resolved: ResolvedDefaults | None = Field(
        None,
        description='Values that the request leaves open, as the run settled them. Absent in runs older than this record, and in runs that play no tasks.',
    )


class RunEvent3Result(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    status: Literal['succeeded', 'failed', 'limited', 'errored', 'cancelled']
    reward: float | None
    steps: int = Field(..., description='Environment steps taken.')
    usage: Usage = Field(..., description='Calls whose answers the episode used.')
    error: RunEvent3ResultErrorValue | None


class RunEvent3(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    type: Literal['episode.ended']
    sequence: int
    created_at: AwareDatetime
    episode: str
    task: str
    result: RunEvent3Result = Field(..., title='RunEvent3Result')
    episodes: EpisodeCounts


class RunEvent(RootModel[RunEvent1 | RunEvent2 | RunEvent3]):
    root: RunEvent1 | RunEvent2 | RunEvent3


class RunList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Run]
    has_more: bool
    first_id: str | None
    last_id: str | None


class RunRequest2(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str | None = None
    preset: (
        Literal['exact-vwa', 'exact-osworld', 'agent-r', 'eto', 'learnact']
        | ChosenPreset
        | None
    ) = Field(None, description='A paper’s settings in one word; GET /v1/presets lists them. Fields that the body omits, also `method` and the split of the tasks, come from the preset; the stored request has them in full. Fields in the body stay, and `deviations` lists them.')
    environment: str
    tasks: TaskSelectionInput | None = Field({'split': 'test'}, validate_default=True)
    method: MethodChoice
    model: ModelChoiceInput
    roles: (
        dict[
            Literal['value', 'debate', 'reflection', 'learner', 'verifier', 'judge', 'captioner', 'embedding'],
            RoleChoice,
        ]
        | None
    ) = Field({}, description='Models for roles other than the policy. A role takes the fields that it omits from `model`. Without `embedding`, notes match by their words.', validate_default=True)
    prompts: dict[constr(min_length=1, max_length=100), str] | None = Field(
        {},
        description='Texts in place of the method’s own prompts, by their ids; GET /v1/methods lists them.',
    )
    epochs: int | None = Field(
        1, description='Number of times the run plays each task.'
    )
    hosting: Literal['auto', 'worker', 'host'] | None = Field(
        'auto',
        description='Place for the environment: inside the worker, or on hosts. `auto`: inside the worker if it can run there.',
    )
    data: str | None = Field(
        None,
        description='The data pack of the tasks, by digest or name; `builtin`: the built-in data. Default: the newest pack.',
    )
    environment_options: dict[str, Any] | None = Field(
        None,
        description='The environment’s rules to set, such as `{"scoring": "best"}`; GET /v1/environments lists the options with their defaults.',
    )
    seed: int | None = 0
    max_parallel: int | None = Field(64, description='Episodes in flight at most.')
    workers: Literal['auto', 'lambda', 'fargate'] | None = Field(
        None,
        description='Workers of a deployment: Lambda’s invocations, or long-lived workers on Fargate, which cost less if a model is slow to answer. `auto`: Lambda, until its model’s answers take 5 s or more on average. Default: the deployment’s setting. A service on one machine ignores this.',
    )
    max_retries: int | None = Field(
        2, description='Number of retries of an episode that ended with an error.'
    )
    limits: RunLimits | None = Field({}, validate_default=True)
    episode_limits: EpisodeLimits | None = Field({}, validate_default=True)
    metadata: dict[constr(max_length=64), str] | None = {}
    experiment: str | None = Field(
        None,
        description='The experiment that it belongs to: a name, which is not to be created before.',
    )
    tags: list[str] | None = Field(None, description='Words to find it by.')
    note: str | None = Field(None, description='Words about it, for people.')


class RunRequest3(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str | None = None
    preset: (
        Literal['exact-vwa', 'exact-osworld', 'agent-r', 'eto', 'learnact']
        | ChosenPreset
    ) = Field(..., description='A paper’s settings in one word; GET /v1/presets lists them. Fields that the body omits, also `method` and the split of the tasks, come from the preset; the stored request has them in full. Fields in the body stay, and `deviations` lists them.')
    environment: str
    tasks: TaskSelectionInput | None = Field({'split': 'test'}, validate_default=True)
    method: MethodChoice | None = None
    model: ModelChoiceInput
    roles: (
        dict[
            Literal['value', 'debate', 'reflection', 'learner', 'verifier', 'judge', 'captioner', 'embedding'],
            RoleChoice,
        ]
        | None
    ) = Field({}, description='Models for roles other than the policy. A role takes the fields that it omits from `model`. Without `embedding`, notes match by their words.', validate_default=True)
    prompts: dict[constr(min_length=1, max_length=100), str] | None = Field(
        {},
        description='Texts in place of the method’s own prompts, by their ids; GET /v1/methods lists them.',
    )
    epochs: int | None = Field(
        1, description='Number of times the run plays each task.'
    )
    hosting: Literal['auto', 'worker', 'host'] | None = Field(
        'auto',
        description='Place for the environment: inside the worker, or on hosts. `auto`: inside the worker if it can run there.',
    )
    data: str | None = Field(
        None,
        description='The data pack of the tasks, by digest or name; `builtin`: the built-in data. Default: the newest pack.',
    )
    environment_options: dict[str, Any] | None = Field(
        None,
        description='The environment’s rules to set, such as `{"scoring": "best"}`; GET /v1/environments lists the options with their defaults.',
    )
    seed: int | None = 0
    max_parallel: int | None = Field(64, description='Episodes in flight at most.')
    workers: Literal['auto', 'lambda', 'fargate'] | None = Field(
        None,
        description='Workers of a deployment: Lambda’s invocations, or long-lived workers on Fargate, which cost less if a model is slow to answer. `auto`: Lambda, until its model’s answers take 5 s or more on average. Default: the deployment’s setting. A service on one machine ignores this.',
    )
    max_retries: int | None = Field(
        2, description='Number of retries of an episode that ended with an error.'
    )
    limits: RunLimits | None = Field({}, validate_default=True)
    episode_limits: EpisodeLimits | None = Field({}, validate_default=True)
    metadata: dict[constr(max_length=64), str] | None = {}
    experiment: str | None = Field(
        None,
        description='The experiment that it belongs to: a name, which is not to be created before.',
    )
    tags: list[str] | None = Field(None, description='Words to find it by.')
    note: str | None = Field(None, description='Words about it, for people.')


class RunRequest1(RootModel[RunRequest2 | RunRequest3]):
    root: RunRequest2 | RunRequest3 = Field(..., title='RunRequest')


class ScoreSummaryJudgesItem(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    by: PersonJudge | Scorer
    judgements: int


class ScoreSummary(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str = Field(..., description='The name of the score.')
    object: Literal['score']
    run: str
    kind: Literal['person', 'scorer'] = Field(
        ...,
        description='Whose the name is: in one run people and a scorer never share a name.',
    )
    episodes: int = Field(
        ..., description='Different episodes with a value for the whole of them.'
    )
    steps: int = Field(..., description='Different steps with a value.')
    errors: int = Field(..., description='Judgements without a value.')
    judges: list[ScoreSummaryJudgesItem] = Field(
        ...,
        description='The judges, with the number of judgements of each; a scorer once for each version of it.',
    )


class Training(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['training']
    name: str | None
    status: Literal['queued', 'running', 'paused', 'succeeded', 'failed', 'cancelled']
    error: str | None = Field(
        ..., description='The reason for the failure or pause, in words.'
    )
    reason: Literal['asked', 'cost_limit', 'time_limit', 'refused', 'not_finite', 'out_of_memory', 'disk_full', 'trainer_failed', 'trainer_died', 'gave_up'] | None
    created_at: AwareDatetime
    started_at: AwareDatetime | None
    ended_at: AwareDatetime | None
    request: TrainingRequest = Field(
        ..., description='With every default, hyperparameters included.'
    )
    progress: TrainingProgress = Field(..., title='TrainingProgress')
    metrics: TrainingPoint | None = Field(..., description='The last logged step.')
    rows: TrainingRows = Field(..., title='TrainingRows')
    usage: TrainingUsage = Field(..., title='TrainingUsage')
    checkpoints: list[TrainingCheckpointsItem]
    model: str | None = Field(..., description='The registered model that it made.')
    log_tail: list[str] = Field(..., description='The last lines of the trainer.')
    warnings: list[str]


class TrainingList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Training]
    has_more: bool
    first_id: str | None
    last_id: str | None


class TrajectoryImport(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['trajectory_import']
    name: str | None
    status: Literal['receiving', 'complete'] = Field(
        ...,
        description='`receiving`: more rows will follow; only a complete import gives datasets.',
    )
    created_at: AwareDatetime
    settings: TrajectoryImportSettings
    trajectories: int = Field(..., description='Number of accepted rows.')
    rejected: int = Field(
        ..., description='Rows that were not; `GET …/rejections` says why.'
    )
    next: int = Field(
        ..., description='The number of the row that is to come next, counted from 1.'
    )
    parts: int = Field(..., description='Number of bodies that brought the rows.')
    experiment: str | None = Field(
        None,
        description='The experiment that it belongs to: a name, which is not to be created before.',
    )
    tags: list[str] | None = Field(None, description='Words to find it by.')
    note: str | None = Field(None, description='Words about it, for people.')
    archived_at: AwareDatetime | None = Field(
        None,
        description='Since when it is archived, so that lists leave it out; absent: it is not.',
    )


class TrajectoryImportList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[TrajectoryImport]
    has_more: bool
    first_id: str | None
    last_id: str | None


class Tree(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    schema_version: Literal['espalier-tree-v1']
    environment: str
    task: str
    method: str
    messages: list[TreeMessagesItem] = Field(
        ...,
        description='The messages before the first action in every prompt: instructions, examples, the first observation.',
    )
    layout: Literal['eto'] | None = Field(
        None,
        description='Layout of prompts, if it does not use a system text: as ETO’s, which shows observations behind `Observation:`. The nodes hold them without it.',
    )
    runtime: str | None = Field(
        None,
        description='The program that played the environment when the episode began, with its version, such as a browser. Absent: answers do not depend on it.',
    )
    best: int = Field(
        ..., description='The node whose path is the answer; 0 when nothing was found.'
    )
    nodes: list[TreeNode]


class Dataset(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['dataset']
    name: str | None
    status: Literal['queued', 'running', 'succeeded', 'failed']
    error: str | None
    created_at: AwareDatetime
    request: DatasetRequest
    progress: DatasetProgress = Field(..., title='DatasetProgress')
    annotation_run: str | None = Field(
        ...,
        description='The run that asked a model for this dataset: its cost, its limits, its journals.',
    )
    rows: int
    mixed: int | None = Field(
        None, description='Number of rows from general conversations; absent: none.'
    )
    splits: dict[str, DatasetSplitsItem] = Field(
        ..., description='Contents of each split.'
    )
    left_out: dict[str, int] = Field(
        ..., description='Episodes that gave no row, by reason.'
    )
    gates: dict[str, DatasetGatesItem] = Field(
        ..., description='Rows that each gate found, and how many of them it dropped.'
    )
    tokens: DatasetTokensValue | None = Field(
        ..., description='Of the rows that are in; null until they are counted.'
    )
    pictures: DatasetPictures | None = Field(
        None, description='Present only if the request sets the treatment of pictures.'
    )
    warnings: list[str] = Field(
        ...,
        description='Points a reader should know, such as a run that was still going.',
    )
    files: list[DatasetFilesItem]
    experiment: str | None = Field(
        None,
        description='The experiment that it belongs to: a name, which is not to be created before.',
    )
    tags: list[str] | None = Field(None, description='Words to find it by.')
    note: str | None = Field(None, description='Words about it, for people.')
    archived_at: AwareDatetime | None = Field(
        None,
        description='Since when it is archived, so that lists leave it out; absent: it is not.',
    )


class DatasetList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Dataset]
    has_more: bool
    first_id: str | None
    last_id: str | None


class DatasetPreview(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['dataset_preview']
    request: DatasetRequest = Field(
        ..., description='As it would be built: with every default.'
    )
    complete: bool = Field(
        ...,
        description='True if the preview read everything: its counts are the whole dataset’s. False if it read only a beginning.',
    )
    listed: DatasetPreviewListed = Field(
        ...,
        description='All listed episodes and imported trajectories, experts included.',
        title='DatasetPreviewListed',
    )
    read: DatasetPreviewRead = Field(
        ...,
        description='The part that the preview searched for rows: the first tasks, until it had read some fifty trees.',
        title='DatasetPreviewRead',
    )
    rows_found: int = Field(..., description='Before the gates.')
    gates: dict[str, DatasetPreviewGatesItem] = Field(
        ..., description='Number of these rows that each gate found and dropped.'
    )
    tokens: DatasetPreviewTokens = Field(
        ..., description='Of the rows that are in.', title='DatasetPreviewTokens'
    )
    pictures: DatasetPreviewPictures | None = Field(
        None,
        description='Pictures of the accepted rows; absent if the runs showed none.',
        title='DatasetPreviewPictures',
    )
    rows: list[ForeseenRow] = Field(
        ..., description='The first of them, also those that a gate keeps out.'
    )
    asks: DatasetPreviewAsksValue | None = Field(
        ...,
        description='Which model building it would ask; rows that need its answers are not shown. Null: none.',
    )
    warnings: list[str]


class Episode(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['episode']
    run: str
    index: int
    task: str = Field(
        ...,
        description='The task it plays; `learn:` and a group of tasks if it learns for them; `{source}/{episode}` if it asks about that.',
    )
    epoch: int
    purpose: Literal['play', 'learn', 'annotate'] = Field(
        ...,
        description='`learn`: it comes before the others and learns for them. `annotate`: it asks a model about another episode, for a dataset or a score. Neither has a reward, and both are in no mean.',
    )
    status: Literal['queued', 'running', 'succeeded', 'failed', 'limited', 'errored', 'cancelled']
    starts: int = Field(..., description='Number of times a worker started it.')
    errors: int = Field(..., description='Number of retries after an error.')
    last_problem: LastProblem | None = Field(
        None,
        description='The problem that keeps its calls to models without an answer; null while they get answers, and after its end.',
    )
    result: EpisodeResult | None = Field(
        ...,
        description='Of its last end, also while it continues or repeats; null if it never ended.',
    )


class EpisodeCalls(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['episode_calls']
    run: str
    episode: str
    messages: list[Message] = Field(
        ..., description='Each message of all prompts once, as it was first sent.'
    )
    calls: list[EpisodeCall]


class EpisodeList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Episode]
    has_more: bool
    first_id: str | None
    last_id: str | None


class Growth(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['growth']
    run: str
    episode: str
    answer: Literal['last', 'best', 'committed', 'most-visited'] = Field(
        ...,
        description='Selects the node of the answer. `last`: the end of the path. `best`: the best node. `committed`: the method’s decision. `most-visited`: the end of the most visited path.',
    )
    steps: list[GrowthStep] = Field(..., description='Those with events, in order.')


class Judgement(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    votes: list[JudgementVotesItem] = Field(
        ..., description='Every verdict; null if it was unreadable.'
    )
    value: float | None = Field(
        ..., description='The mean of the votes, or a trained model’s value.'
    )
    debate: JudgementDebateValue | None = Field(
        ...,
        description='The opinion for the last action and the one against it, if there was a debate.',
    )
    checks: str | None = Field(
        ..., description='The judge’s list of checks for this task.'
    )
    calls: list[ModelCall]


class Leaderboard(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['leaderboard']
    simulated: bool = Field(
        ...,
        description='Some numbers come from the simulated model: they prove plumbing, not quality.',
    )
    selection: LeaderboardRequest
    entries: list[LeaderboardEntry] = Field(
        ..., description='By their averages, then by their first success rates.'
    )
    environments: list[LeaderboardEnvironment]
    cells: list[LeaderboardCell]
    tests: list[LeaderboardTest]


class LoopReport(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['loop_report']
    loop: str
    name: str | None
    recipe: Literal['rft', 'eto', 'agent-r', 'exploratory', 'step-dpo']
    environment: str
    status: Literal['queued', 'running', 'paused', 'succeeded', 'failed', 'cancelled']
    reason: str | None
    metric: Literal['success_rate', 'reward']
    simulated: bool = Field(
        ...,
        description='Some of the numbers come from the simulated model: they prove plumbing, not quality.',
    )
    rounds: list[ReportedRound]
    control: LoopReportControlValue | None
    best: LoopReportBestValue | None
    usage: LoopReportUsage = Field(..., title='LoopReportUsage')
    lineage: LoopLineage
    warnings: list[str]


class LoopRequest(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str | None = None
    recipe: Literal['rft', 'eto', 'agent-r', 'exploratory', 'step-dpo']
    environment: str
    data: str | None = Field(
        None,
        description='The data pack of the tasks, by digest or name; `builtin`: the built-in data. Default: the newest pack.',
    )
    environment_options: dict[str, Any] | None = Field(
        None,
        description='The environment’s rules to set, such as `{"scoring": "best"}`; GET /v1/environments lists the options with their defaults.',
    )
    hosting: Literal['auto', 'worker', 'host'] = Field(
        ...,
        description='Place for the environment: inside the worker, or on hosts. `auto`: inside the worker if it can run there.',
    )
    base: TrainingBase = Field(..., description='The model that the loop improves.')
    policy: LoopRequestPolicy | None = Field(
        None,
        description='The endpoint for a base that is not registered; required if the base plays before the first training.',
        title='LoopRequestPolicy',
    )
    experts: list[str] = Field(
        ..., description='Runs or imported trajectories of an expert at training tasks.'
    )
    general: list[str] = Field(
        ...,
        description='Imported conversations to mix into the rows, by `settings.general_share`.',
    )
    tasks: LoopRequestTasks = Field(
        ..., description='No task may be in two of them.', title='LoopRequestTasks'
    )
    model: LoopRequestModel = Field(
        ...,
        description='Settings for the calls to every model of the loop, beside the temperatures in `settings`.',
        title='LoopRequestModel',
    )
    settings: LoopSettings = Field(
        ...,
        description='Replaces settings of the recipe; GET /v1/loop-recipes lists those with their sources.',
    )
    evaluation_epochs: int = Field(
        ..., description='Number of times the loop plays each test task.'
    )
    candidates: int = Field(
        ...,
        description='Number of checkpoints of a training, the last ones, to play on the dev tasks.',
    )
    checkpoint_steps: int | None = Field(
        None, description='Steps between two checkpoints.'
    )
    metric: Literal['success_rate', 'reward'] = Field(
        ...,
        description='The metric that decides between checkpoints and on the promotion of a model.',
    )
    patience: int | None = Field(
        ...,
        description='After so many rounds without a promotion the loop ends; null: all rounds are made.',
    )
    max_errored: float = Field(
        ...,
        description='The largest share of errored episodes with which an evaluation is compared.',
    )
    max_errored_difference: float = Field(
        ...,
        description='By how much these shares of two evaluations may differ at most.',
    )
    control: bool = Field(
        ...,
        description='True to add a control. It trains the start of round 1 for as many steps on the experts’ rows alone, and evaluates it on the same tasks.',
    )
    trainer: str = Field(
        ..., description='A configured trainer; GET /v1/trainers lists them.'
    )
    format: Literal['openai', 'trl', 'llama-factory', 'axolotl', 'xtuner', 'fastchat', 'agenttraj', 'agent-r', 'parquet'] = (
        Field(..., description='Of the datasets: one that the trainer reads.')
    )
    lora: Lora | None = Field(
        ..., description='Adapters in place of all weights; null: all weights.'
    )
    seed: int
    max_parallel: int = Field(..., description='Episodes in flight at most.')
    max_retries: int = Field(
        ...,
        description='Number of retries of an errored episode; each try of a bad model costs as much.',
    )
    episode_limits: EpisodeLimits
    limits: LoopLimits


class LoopRequestInput(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    name: str | None = None
    recipe: Literal['rft', 'eto', 'agent-r', 'exploratory', 'step-dpo']
    environment: str
    data: str | None = Field(
        None,
        description='The data pack of the tasks, by digest or name; `builtin`: the built-in data. Default: the newest pack.',
    )
    environment_options: dict[str, Any] | None = Field(
        None,
        description='The environment’s rules to set, such as `{"scoring": "best"}`; GET /v1/environments lists the options with their defaults.',
    )
    hosting: Literal['auto', 'worker', 'host'] | None = Field(
        'auto',
        description='Place for the environment: inside the worker, or on hosts. `auto`: inside the worker if it can run there.',
    )
    base: TrainingBase = Field(..., description='The model that the loop improves.')
    policy: LoopRequestInputPolicy | None = Field(
        None,
        description='The endpoint for a base that is not registered; required if the base plays before the first training.',
        title='LoopRequestInputPolicy',
    )
    experts: list[str] | None = Field(
        [], description='Runs or imported trajectories of an expert at training tasks.'
    )
    general: list[str] | None = Field(
        [],
        description='Imported conversations to mix into the rows, by `settings.general_share`.',
    )
    tasks: LoopRequestInputTasks | None = Field(
        {},
        description='No task may be in two of them.',
        title='LoopRequestInputTasks',
        validate_default=True,
    )
    model: LoopRequestInputModel | None = Field(
        {},
        description='Settings for the calls to every model of the loop, beside the temperatures in `settings`.',
        title='LoopRequestInputModel',
        validate_default=True,
    )
    settings: LoopSettings | None = Field(
        {},
        description='Replaces settings of the recipe; GET /v1/loop-recipes lists those with their sources.',
        validate_default=True,
    )
    evaluation_epochs: int | None = Field(
        1, description='Number of times the loop plays each test task.'
    )
    candidates: int | None = Field(
        1,
        description='Number of checkpoints of a training, the last ones, to play on the dev tasks.',
    )
    checkpoint_steps: int | None = Field(
        None, description='Steps between two checkpoints.'
    )
    metric: Literal['success_rate', 'reward'] | None = Field(
        'success_rate',
        description='The metric that decides between checkpoints and on the promotion of a model.',
    )
    patience: int | None = Field(
        2,
        description='After so many rounds without a promotion the loop ends; null: all rounds are made.',
    )
    max_errored: float | None = Field(
        0.1,
        description='The largest share of errored episodes with which an evaluation is compared.',
    )
    max_errored_difference: float | None = Field(
        0.05,
        description='By how much these shares of two evaluations may differ at most.',
    )
    control: bool | None = Field(
        False,
        description='True to add a control. It trains the start of round 1 for as many steps on the experts’ rows alone, and evaluates it on the same tasks.',
    )
    trainer: str | None = Field(
        'local', description='A configured trainer; GET /v1/trainers lists them.'
    )
    format: (
        Literal[
            'openai',
            'trl',
            'llama-factory',
            'axolotl',
            'xtuner',
            'fastchat',
            'agenttraj',
            'agent-r',
            'parquet',
        ]
        | None
    ) = Field('trl', description='Of the datasets: one that the trainer reads.')
    lora: LoraInput | None = Field(
        None, description='Adapters in place of all weights; null: all weights.'
    )
    seed: int | None = 0
    max_parallel: int | None = Field(64, description='Episodes in flight at most.')
    max_retries: int | None = Field(
        1,
        description='Number of retries of an errored episode; each try of a bad model costs as much.',
    )
    episode_limits: EpisodeLimits | None = Field({}, validate_default=True)
    limits: LoopLimits | None = Field({}, validate_default=True)


class NodeDetail(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['node']
    run: str
    episode: str
    index: int
    children: list[int]
    node: NodeDetailNode = Field(..., title='NodeDetailNode')
    observation: list[ShownObservationPart]
    proposal: ModelCall | None = Field(
        ...,
        description='The call whose answer led here; null at the root, and at the start of a task.',
    )
    expansions: list[ModelCall] = Field(
        ..., description='Calls that proposed actions from here.'
    )
    judgement: Judgement | None = Field(
        ..., description='Null if no model judged the value of the state.'
    )
    notes: list[UsedNote]
    others: list[ModelCall] = Field(
        ...,
        description='Calls about this node that are none of these, such as reflections.',
    )
    usage: Usage = Field(
        ...,
        description='Of the calls about this node: `expansions`, `judgement` and `others`.',
    )
    state: Any = Field(
        ...,
        description='The state of the environment; null if `state_note` has a reason.',
    )
    state_changes: list[StateChange] | None = Field(
        ..., description='Null at the root, and if there is no state.'
    )
    state_note: str | None = Field(
        ...,
        description='The reason for a missing state, such as an environment that runs elsewhere.',
    )


class ScoreList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[ScoreSummary]
    has_more: bool
    first_id: str | None
    last_id: str | None


class Loop(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    id: str
    object: Literal['loop']
    name: str | None
    status: Literal['queued', 'running', 'paused', 'succeeded', 'failed', 'cancelled']
    reason: str | None = Field(
        ..., description='The reason for a pause, or for its end.'
    )
    created_at: AwareDatetime
    started_at: AwareDatetime | None
    ended_at: AwareDatetime | None
    running_seconds: float = Field(..., description='Pauses left out.')
    request: LoopRequest = Field(..., description='With every setting of the recipe.')
    progress: LoopProgress = Field(..., title='LoopProgress')
    rounds: list[LoopRound]
    control: LoopControlValue | None = Field(
        ..., description='Beside round 1; null if the request asked for none.'
    )
    best: LoopBestValue | None
    without_gain: int = Field(..., description='Rounds since the last promotion.')
    usage: LoopUsage = Field(..., title='LoopUsage')
    warnings: list[str]


class LoopList(BaseModel):
    model_config = ConfigDict(
        extra='allow',
    )
    object: Literal['list']
    data: list[Loop]
    has_more: bool
    first_id: str | None
    last_id: str | None
