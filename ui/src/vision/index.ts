// Picture descriptions: the settings of the service, the dialog that asks about pictures, and jobs over many.
export { DescriptionRequest } from "./description-request.svelte";
export { asTag, type DescribeRun, DescribeRuns, MAX_PICTURES } from "./describe-runs";
export { default as DescribeDialog } from "./DescribeDialog.svelte";
export { failureText } from "./failure";
export { ensureConsent } from "./privacy";
export { default as VisionSection } from "./settings/VisionSection.svelte";
